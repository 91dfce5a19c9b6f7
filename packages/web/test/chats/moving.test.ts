import { systemClock } from '@parley/server/core/clock.ts';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('Alt with an arrow key opens the next conversation, with Shift the next unread one', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { page } = ann;
    const { api } = await ann.actor();
    const start = async (title: string) => (await api.startChat({ usernames: ['bob'], title })).id;
    const [third, second, first] = [await start('Third'), await start('Second'), await start('First')];
    await ann.open(first);
    await ann.chat('Third').waitFor();
    const press = async (key: string, title: string) => {
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: title }).waitFor();
      await expect.poll(async () => ann.composer.evaluate((one) => one === document.activeElement)).toBe(true);
    };
    await press('Alt+ArrowDown', 'Second');
    await press('Alt+ArrowDown', 'Third');
    await press('Alt+ArrowUp', 'Second');
    await press('Alt+ArrowUp', 'First');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.type('hello');
    expect(page.url()).toContain(first);
    await ann.composer.fill('');

    // Behind an open dialog the keys do nothing.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain(first);

    for (const chat_id of [third, second]) await bob.api.sendMessage({ chat_id, text: 'news' });
    await ann.say('mine stays on top');
    await ann.open(second);
    await expect.poll(async () => (await api.getChat({ chat_id: second })).unread_count).toBe(0);
    await ann.open(first);
    await ann.chats.getByLabel('1 unread').waitFor();
    await press('Alt+Shift+ArrowDown', 'Third');
  });
});

inChromium('"Go to a day" opens the conversation at its first message since that day', async () => {
  const DAY_MS = 86_400_000;
  /** The messages are as many days old. */
  let daysAgo = 8;
  const clock = { ...systemClock, now: () => systemClock.now() - daysAgo * DAY_MS };
  const dayOf = (ago: number) => new Date(Date.now() - ago * DAY_MS).toLocaleDateString('sv');
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
      for (; daysAgo > 1; daysAgo -= 1)
        for (let at = 0; at < 12; at += 1)
          await api.sendMessage({ chat_id, text: `${daysAgo} days ago, number ${at}.` });
      await ann.open(chat_id);
      await ann.message('2 days ago, number 11.').waitFor();
      const go = async (day: string) => {
        const dialog = page.getByRole('dialog', { name: 'Go to a day' });
        await dialog.getByLabel('Day').fill(day);
        await dialog.getByRole('button', { name: 'Go', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await page.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('button', { name: 'Go to a day', exact: true }).click();
      await go(dayOf(6));
      await expect.poll(async () => ann.message('6 days ago, number 0.').isVisible()).toBe(true);
      await expect.poll(() => page.url()).not.toContain('day=');

      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('go to date');
      await page.getByRole('option', { name: 'Go to a day' }).click();
      await go(dayOf(3));
      await expect.poll(async () => ann.message('3 days ago, number 0.').isVisible()).toBe(true);

      // Without messages since then it opens at the end.
      await page.goto(`${stage.world.url}/chat/${chat_id}?day=${dayOf(1)}`);
      await ann.message('2 days ago, number 11.').waitFor();
      await expect.poll(() => page.url()).not.toContain('day=');
    },
    { clock },
  );
});

inChromium(
  'WEB-30: a copied link leads members to the message, also while the app catches up, and tells others only that they are not in',
  async () => {
    await withStage(async (stage) => {
      const [ann, eve] = [await stage.person('ann'), await stage.person('eve')];
      const { page } = ann;
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Secret plans' });
      await api.sendMessage({ chat_id, text: 'the one to link' });
      await ann.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await ann.open(chat_id);
      await ann.choose(ann.message('the one to link'), 'Copy link');
      await page.getByText('Copied.').waitFor();
      const link = await page.evaluate(async () => navigator.clipboard.readText());
      // What the browser keeps ends with this message: the page catches up with the later ones once it has opened there.
      await page.goto('about:blank');
      for (let at = 0; at < 60; at += 1) await api.sendMessage({ chat_id, text: `later ${at}` });
      await page.goto(link);
      await ann.chats.getByText('later 59').waitFor();
      await page.evaluate(async () => {
        for (let frame = 0; frame < 10; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      });
      const [place, frame] = [await ann.message('the one to link').boundingBox(), page.viewportSize()];
      expect(place?.y).toBeGreaterThan(0);
      expect(place?.y).toBeLessThan(frame?.height ?? 0);
      stage.watch.expect(/403 .*getChat/);
      await eve.page.goto(link);
      await eve.page.getByText('You’re not in this conversation, or it was deleted.').waitFor();
      expect(await eve.page.locator('body').innerText()).not.toMatch(/Secret plans|the one to link/);
    });
  },
);
