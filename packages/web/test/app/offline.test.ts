import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { Front } from '../setup/front.ts';
import { goOffline, kept, keptBuild } from '../setup/offline.ts';
import { withServiceWorker, withStage } from '../setup/stage.ts';

/** The mark that a test has put into a build's page. */
const mark = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector('meta[name=mark]')?.getAttribute('content') ?? null);

inChromium('WEB-53: offline, the app opens from the browser’s cache and says that it is offline', async () => {
  await withStage(async (stage) => {
    await using front = await Front.of(stage.world.url);
    const ann = await stage.person('ann', { url: front.url, ...withServiceWorker });
    const { page } = ann;
    const { id: chat_id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    await ann.open(chat_id);
    await ann.say('hello');
    await keptBuild(page);

    await goOffline(stage, front, ann);
    await page.reload();
    await page.getByRole('status').getByText('You’re offline.').waitFor();
    await page.getByRole('button', { name: 'Search' }).waitFor();
    // WEB-360: the browser has kept the conversation.
    await ann.message('hello').waitFor();
    await stage.picture('offline', page);
    // Lazily loaded scripts are cached too.
    await page.goto(`${front.url}/settings/appearance`);
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    // What is not kept says so, instead of loading for ever.
    await page.goto(`${front.url}/inbox`);
    await page.getByText('This isn’t on your device yet.').waitFor();
    await page.goto(`${front.url}/chat/${chat_id}`);
    await ann.message('hello').waitFor();

    front.heal();
    await ann.context.setOffline(false);
    await ann.message('hello').waitFor();
    await ann.chat('Saved').waitFor();
    await page.getByRole('status').getByText('You’re offline.').waitFor({ state: 'detached' });
  });
});

inChromium('WEB-53: the cache contains no account data and no address with a secret', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', withServiceWorker);
    const { page } = ann;
    const { api } = await ann.actor();
    const group = await api.startChat({ usernames: [], title: 'Plans' });
    const { token } = await api.createInvite({ chat_id: group.id });
    await keptBuild(page);
    await page.goto(`${stage.world.url}/join/${token}`);
    await page.getByRole('heading', { name: 'You’re invited to a group' }).waitFor();
    await ann.open(group.id);
    await ann.say('hello');
    const paths = Object.values(await kept(page)).flat();
    expect(paths).toContain('/');
    for (const path of paths)
      expect(path).toMatch(/^\/(?:assets\/[\w.-]+\.(?:js|css)|icon\.svg|manifest\.webmanifest)?$/);
  });
});

inChromium('WEB-53: a new build is used immediately and replaces the cached one', async () => {
  await withStage(async (stage) => {
    await using front = await Front.of(stage.world.url);
    const ann = await stage.person('ann', { url: front.url, ...withServiceWorker });
    const { page } = ann;
    const former = await keptBuild(page);
    expect(await mark(page)).toBeNull();

    const build = former.slice(former.lastIndexOf('-') + 1);
    front.changed.set('/', (html) => html.replace('<head>', '<head><meta name="mark" content="new">'));
    front.changed.set('/service-worker.js', (script) => script.replaceAll(build, `${build}2`));
    await page.reload();
    expect(await mark(page)).toBe('new');
    expect(await keptBuild(page, former)).toBe(`${former}2`);

    await goOffline(stage, front, ann);
    await page.reload();
    await page.getByRole('button', { name: 'Search' }).waitFor();
    expect(await mark(page)).toBe('new');
  });
});

/** The conversations that the browser has kept, as JSON. */
const textsKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const [name, table] = ['parley-conversations', 'stores'];
    // To open a database that is not there would create it, without tables.
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return '[]';
    const opening = indexedDB.open(name);
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error ?? new Error('not opened')));
    });
    const asking = database.transaction(table).objectStore(table).getAll();
    const found = await new Promise((resolve) => {
      asking.addEventListener('success', () => resolve(asking.result));
    });
    database.close();
    return JSON.stringify(found);
  });

inChromium(
  'WEB-360: without a network the app opens with the conversations of the last week, and then catches up',
  async () => {
    await withStage(async (stage) => {
      await using front = await Front.of(stage.world.url);
      const ann = await stage.person('ann', { url: front.url, ...withServiceWorker });
      const { api } = await ann.actor();
      const [shown, unopened] = [
        await api.startChat({ usernames: [], title: 'Shown' }),
        await api.startChat({ usernames: [], title: 'Unopened' }),
      ];
      for (const { id: chat_id, title } of [shown, unopened])
        for (const text of ['first', 'second']) await api.sendMessage({ chat_id, text: `${text} in ${title}` });
      await ann.open(shown.id);
      await keptBuild(ann.page);
      // The page loads recent conversations a moment after it has what it shows.
      await expect.poll(() => textsKept(ann.page), { timeout: 20_000 }).toContain('first in Unopened');

      await goOffline(stage, front, ann);
      const cold = await ann.tab();
      await ann.page.close();
      await cold.message('first in Shown').waitFor();
      await cold.page.getByRole('status').getByText('You’re offline.').waitFor();
      await cold.chat('Unopened').click();
      await cold.message('first in Unopened').waitFor();
      await cold.composer.fill('written without a network');
      await cold.composer.press('Enter');
      await cold.message('written without a network').waitFor();
      await stage.picture('offline-cold', cold.page);

      await api.deleteMessages({
        message_ids: [(await api.getChatHistory({ chat_id: unopened.id })).items[0]?.id ?? ''],
      });
      await api.sendMessage({ chat_id: unopened.id, text: 'sent meanwhile' });
      front.heal();
      await cold.context.setOffline(false);
      await cold.message('sent meanwhile').waitFor();
      await cold.message('first in Unopened').waitFor({ state: 'detached' });
      await expect
        .poll(async () => (await api.getChatHistory({ chat_id: unopened.id })).items.map(({ content }) => content))
        .toEqual(['second in Unopened', 'sent meanwhile', 'written without a network']);
    });
  },
);

/** What an earlier build left, in which the service worker came first. */
const keepFormerDatabase = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const opening = indexedDB.open('parley', 1);
    await new Promise((resolve) => {
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('worker'));
      opening.addEventListener('success', resolve);
    });
    opening.result.close();
  });

inChromium(
  'WEB-360: after sign-up the browser keeps the conversations, and nothing that a former build has left',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.browser(withServiceWorker);
      await keepFormerDatabase(ann.page);
      await ann.signUp('ann');
      const { id: chat_id } = await (await ann.actor()).api.startChat({ username: 'ann' });
      await ann.open(chat_id);
      await ann.say('for myself only');
      await keptBuild(ann.page);
      await ann.page.reload();
      await ann.message('for myself only').waitFor();
      const databases = () =>
        ann.page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name).toSorted());
      await expect.poll(databases).toEqual(['parley-conversations']);
      await expect.poll(() => textsKept(ann.page), { timeout: 20_000 }).toContain('for myself only');
    });
  },
);

inChromium(
  'WEB-360: what a browser has kept is deleted at sign-out, and when the session is ended elsewhere',
  async () => {
    for (const isElsewhere of [false, true])
      await withStage(async (stage) => {
        const ann = await stage.person('ann', withServiceWorker);
        const { page } = ann;
        const { api } = await ann.actor();
        const { id: chat_id } = await api.startChat({ username: 'ann' });
        await ann.open(chat_id);
        await ann.say('for myself only');
        await page.reload();
        await ann.message('for myself only').waitFor();
        await expect.poll(() => textsKept(page), { timeout: 20_000 }).toContain('for myself only');
        if (isElsewhere) {
          // It ends what the page is just loading, too.
          stage.watch.expect(/401 \(Unauthorized\)/);
          await api.signOut();
        } else {
          await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('menuitem', { name: 'Sign out' }).click();
        }
        await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
        await expect.poll(() => textsKept(page)).toBe('[]');
        await page.reload();
        await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
        expect(await textsKept(page)).toBe('[]');
      });
  },
);
