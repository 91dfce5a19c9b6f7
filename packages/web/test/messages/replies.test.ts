import { ChaosProxy } from '@parley/testing/sdk/chaos-proxy.ts';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `word${from + at} `).join('');

/** Ann in a direct chat with her agent, which has started to reply. */
async function answering(stage: Stage, options: { url?: string } = {}) {
  const ann = await stage.person('ann', options);
  const agent = await ann.agent('key');
  const reply = stage.world.providers.steer('key');
  const { api } = await ann.actor();
  const { id: chat_id } = await api.startChat({ username: agent });
  await ann.open(chat_id);
  await ann.say('Tell me all');
  await reply.started;
  const shown = ann.messages.last();
  const stored = async () => (await api.getChatHistory({ chat_id })).items.at(-1);
  return { ann, reply, shown, stored };
}

const isLive = (person: Person) => person.page.locator('[data-status=streaming]');

inChromium('WEB-4: a reply streams word by word; a stopped one keeps its text', async () => {
  await withStage(async (stage) => {
    const { ann, reply, shown, stored } = await answering(stage);
    await isLive(ann).getByText('is thinking').waitFor();
    reply.text('One ');
    await ann.sees(shown, 'One');
    await shown.getByRole('img', { name: 'is writing' }).waitFor();
    reply.text('two ');
    await ann.sees(shown, 'One two');
    await stage.picture('streaming', ann.page);
    await shown.getByRole('button', { name: 'Stop' }).click();
    await reply.aborted;
    await shown.getByText('Stopped.').waitFor();
    await ann.sees(shown, 'One two');
    expect(await stored()).toMatchObject({ status: 'cancelled', content: 'One two ' });
    await isLive(ann).waitFor({ state: 'detached' });
    await stage.picture('stopped', ann.page);
  });
});

inChromium('WEB-4: after a reload in the middle of a reply the rest arrives and matches the stored text', async () => {
  await withStage(async (stage) => {
    const { ann, reply, shown, stored } = await answering(stage);
    reply.text(words(0, 50));
    await shown.getByText('word49').waitFor();
    const reloaded = ann.page.reload();
    reply.text(words(50, 100));
    await reloaded;
    await shown.getByText('word99').waitFor();
    reply.text(words(100, 150));
    await shown.getByText('word149').waitFor();
    expect(await isLive(ann).count()).toBe(1);
    reply.end();
    await isLive(ann).waitFor({ state: 'detached' });
    await ann.sees(shown, words(0, 150).trim());
    expect(await stored()).toMatchObject({ status: 'complete', content: words(0, 150) });
  });
});

inChromium('WEB-5: after a network failure in the middle of a reply the rest arrives and nothing is lost', async () => {
  await withStage(async (stage) => {
    await using proxy = await ChaosProxy.start(stage.world.url);
    // Loading fails while the network is cut.
    stage.watch.expect(/net::ERR_|WebSocket connection/);
    const { ann, reply, shown, stored } = await answering(stage, { url: proxy.url });
    reply.text(words(0, 20));
    await shown.getByText('word19').waitFor();
    proxy.takeDown();
    reply.text(words(20, 40));
    const note = ann.page.getByRole('status').filter({ hasText: 'Connecting …' });
    await note.waitFor();
    await stage.picture('connection-lost', ann.page);
    // Loaded messages stay readable.
    await ann.sees(shown, words(0, 20).trim());
    proxy.heal();
    // The app may reconnect by itself before the button is pressed.
    const tryNow = note.getByRole('button', { name: 'Try now' });
    await tryNow.click({ timeout: 1_000 }).catch(() => undefined);
    await shown.getByText('word39').waitFor();
    await note.waitFor({ state: 'detached' });
    reply.text(words(40, 60));
    reply.end();
    await isLive(ann).waitFor({ state: 'detached' });
    await ann.sees(shown, words(0, 60).trim());
    expect(await stored()).toMatchObject({ status: 'complete', content: words(0, 60) });
    await stage.close();
  });
});

inChromium(
  'WEB-5: messages written offline are sent once after reconnecting, even if the page was closed',
  async () => {
    await withStage(async (stage) => {
      stage.watch.expect(/ERR_INTERNET_DISCONNECTED/);
      const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'bob' });
      await Promise.all([ann.open(chat_id), bob.open(chat_id)]);
      await ann.say('before');
      await ann.context.setOffline(true);
      await ann.page.getByText('You’re offline. Your messages go out when you’re back online.').waitFor();
      for (const text of ['one', 'two']) {
        await ann.composer.fill(text);
        await ann.composer.press('Enter');
        await ann.message(text).getByLabel('Sending').waitFor();
      }
      await stage.picture('offline', ann.page);
      await ann.context.setOffline(false);
      await bob.message('two').waitFor();
      await ann.page.getByLabel('Sending').first().waitFor({ state: 'detached' });

      // The same with the page closed before reconnecting.
      await ann.context.setOffline(true);
      await ann.page.getByText('You’re offline.').waitFor();
      await ann.composer.fill('three');
      await ann.composer.press('Enter');
      await ann.message('three').getByLabel('Sending').waitFor();
      const { url } = stage.world;
      const page = await ann.context.newPage();
      await ann.page.close();
      await ann.context.setOffline(false);
      await page.goto(url);
      await bob.message('three').waitFor();
      await bob.say('all there');
      const { items } = await api.getChatHistory({ chat_id });
      expect(items.map(({ content }) => content)).toEqual(['before', 'one', 'two', 'three', 'all there']);
      expect(await bob.texts()).toEqual(['before', 'one', 'two', 'three', 'all there']);
    });
  },
);

inChromium('WEB-207: Escape stops a reply to the user, after everything else that uses the key', async () => {
  await withStage(async (stage) => {
    const { ann, reply, shown } = await answering(stage);
    const { page } = ann;
    reply.text('One ');
    await ann.sees(shown, 'One');
    // A dialog, suggestions and a reply that is being written come first.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
    await ann.composer.pressSequentially('/');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor({ state: 'detached' });
    await ann.composer.fill('');
    await ann.message('Tell me all').hover();
    await ann.message('Tell me all').getByRole('button', { name: 'Reply' }).click();
    await page.locator('[data-composing=reply]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-composing=reply]').waitFor({ state: 'detached' });
    reply.text('two ');
    await ann.sees(shown, 'One two');
    expect(await isLive(ann).count()).toBe(1);
    await ann.composer.focus();
    await page.keyboard.press('Escape');
    await reply.aborted;
    await shown.getByText('Stopped.').waitFor();
  });
});
