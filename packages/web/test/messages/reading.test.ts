import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { Front } from '../setup/front.ts';
import { goOffline, keptBuild } from '../setup/offline.ts';
import type { Person } from '../setup/person.ts';
import { withServiceWorker, withStage } from '../setup/stage.ts';

/** Records every unread indicator that appears, however briefly. */
async function watchNews(person: Person): Promise<() => Promise<string[]>> {
  await person.page.evaluate(() => {
    const seen = new Set<string>();
    const look = () => {
      if (document.querySelector('[data-first-unread]')) seen.add('line');
      if (document.querySelector('nav [aria-label$=" unread"]')) seen.add('count');
      if (document.title.startsWith('(')) seen.add('title');
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    Object.assign(globalThis, { newsSeen: () => [...seen] });
  });
  return async () => person.page.evaluate<string[]>('newsSeen()');
}

inChromium('WEB-32: a message in the visible conversation never shows as unread, not even briefly', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const bot = await stage.world.bot(bob);
    await bob.api.addGroupAgent({ chat_id, agent_username: bot.username });
    const { id: first } = await bob.api.sendMessage({ chat_id, text: 'first' });
    const { api } = await ann.actor();
    await api.markRead({ chat_id, message_id: first });
    await ann.chat('Plans').getByLabel('unread').waitFor({ state: 'detached' });
    await ann.openChat('Plans');
    await ann.message('first').waitFor();
    const news = await watchNews(ann);
    for (const text of ['second', 'third']) {
      await bob.api.sendMessage({ chat_id, text });
      await ann.message(text).waitFor();
    }
    const { id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.appendMessageStream({ message_id: id, delta: 'a reply', offset: 7 });
    await bot.api.finishMessageStream({ message_id: id });
    await ann.message('a reply').and(ann.page.locator('[data-status=complete]')).waitFor();
    // The service has the read marker too.
    await expect.poll(async () => (await api.getChat({ chat_id })).last_read_message_id).toBe(id);
    await expect.poll(async () => (await api.getChat({ chat_id })).unread_count).toBe(0);
    expect(await news()).toEqual([]);

    // While the page is hidden new messages are unread.
    const hide = async (isHidden: boolean) =>
      ann.page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    await bob.api.sendMessage({ chat_id, text: 'fourth' });
    await ann.chat('Plans').getByLabel('1 unread').waitFor();
    await hide(false);
    await ann.chat('Plans').getByLabel('unread').waitFor({ state: 'detached' });
  });
});

inChromium('WEB-32: the "New messages" line marks what was unread at opening, never later messages', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id: root } = await bob.api.sendMessage({ chat_id, text: 'the root' });
    await (await ann.actor()).api.markRead({ chat_id, message_id: root });
    // An unread message in a thread.
    await bob.api.sendMessage({ chat_id, text: 'an answer', thread_root_id: root });
    await ann.chat('Plans').getByLabel('1 unread').waitFor();
    await ann.openChat('Plans');
    await ann.page.getByRole('button', { name: '1 reply' }).waitFor();
    const news = await watchNews(ann);
    await bob.api.sendMessage({ chat_id, text: 'second' });
    await ann.message('second').waitFor();
    await ann.chat('Plans').getByLabel('unread').waitFor({ state: 'detached' });
    expect(await news()).not.toContain('line');
    await stage.picture('thread-link', ann.page);
  });
});

inChromium('WEB-32: what was written while the app was closed has the line once the app has caught up', async () => {
  await withStage(async (stage) => {
    await using front = await Front.of(stage.world.url);
    const ann = await stage.person('ann', { url: front.url, ...withServiceWorker });
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await bob.api.sendMessage({ chat_id, text: 'read' });
    await ann.open(chat_id);
    await ann.chat('Plans').getByLabel('unread').waitFor({ state: 'detached' });
    await keptBuild(ann.page);
    await goOffline(stage, front, ann);
    await ann.page.reload();
    await ann.message('read').waitFor();
    const { id: first } = await bob.api.sendMessage({ chat_id, text: 'missed' });
    const { id: last } = await bob.api.sendMessage({ chat_id, text: 'missed too' });
    front.heal();
    await ann.context.setOffline(false);
    await ann.page.locator(`[data-first-unread]`).waitFor();
    const marked = ann.page.locator('[data-index]').filter({ has: ann.page.locator('[data-first-unread]') });
    expect(await marked.locator('[data-message]').getAttribute('data-message')).toBe(first);
    // All of it is in view, and so it is read.
    const { api } = await ann.actor();
    await expect.poll(async () => (await api.getChat({ chat_id })).last_read_message_id).toBe(last);
    await bob.api.sendMessage({ chat_id, text: 'later' });
    await ann.message('later').waitFor();
    expect(await marked.locator('[data-message]').getAttribute('data-message')).toBe(first);
  });
});

inChromium('WEB-32: what the browser has kept as unread has the line, also if the app catches up late', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { api } = await ann.actor();
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id: read } = await bob.api.sendMessage({ chat_id, text: 'read' });
    await api.markRead({ chat_id, message_id: read });
    const { id: missed } = await bob.api.sendMessage({ chat_id, text: 'missed' });
    await ann.chat('Plans').getByLabel('1 unread').waitFor();
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    await ann.page.routeWebSocket(/\/api\/ws/u, async (socket) => {
      await isOpen;
      socket.connectToServer();
    });
    await ann.page.clock.install();
    await ann.page.goto(`${stage.world.url}/chat/${chat_id}`);
    await ann.message('missed').waitFor();
    const line = ann.page.locator('[data-first-unread]');
    await line.waitFor();
    await ann.page.clock.runFor(1_000);
    expect((await api.getChat({ chat_id })).last_read_message_id).toBe(read);
    open();
    await expect.poll(async () => (await api.getChat({ chat_id })).last_read_message_id).toBe(missed);
    await ann.chat('Plans').getByLabel('unread').waitFor({ state: 'detached' });
    expect(await line.count()).toBe(1);
  });
});

inChromium('WEB-32: what was read on arrival has no line, also before the service has the read marker', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id: other } = await bob.api.startChat({ usernames: ['ann'], title: 'Garden' });
    const { api } = await ann.actor();
    // Neither the marker nor the question for the count gets to the service.
    let isHeld = false;
    await ann.page.routeWebSocket(/\/api\/ws/u, (socket) => {
      const service = socket.connectToServer();
      socket.onMessage((text) => {
        if (!isHeld || !/"(?:markRead|getChat)"/.test(String(text))) service.send(text);
      });
    });
    await ann.open(chat_id);
    const { id: first } = await bob.api.sendMessage({ chat_id, text: 'first' });
    await expect.poll(async () => (await api.getChat({ chat_id })).last_read_message_id).toBe(first);
    isHeld = true;
    await bob.api.sendMessage({ chat_id, text: 'hello' });
    await ann.message('hello').waitFor();
    await ann.openChat('Garden');
    await ann.page.waitForURL(`**/chat/${other}`);
    await ann.openChat('Plans');
    await ann.message('hello').waitFor();
    expect((await api.getChat({ chat_id })).last_read_message_id).toBe(first);
    expect(await ann.page.locator('[data-first-unread]').count()).toBe(0);
  });
});
