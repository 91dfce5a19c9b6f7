import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { Front } from '../setup/front.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

/** The addresses in the browser's caches, by cache name. */
const kept = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const found: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      found[name] = requests.map(({ url }) => new URL(url).pathname);
    }
    return found;
  });

/** Waits until the app is cached for offline use; returns the name of the build's cache. */
async function keptBuild(page: Page, former?: string): Promise<string> {
  await expect
    .poll(async () => {
      const all = Object.entries(await kept(page));
      return all.length === 1 && all[0]?.[0] !== former && all[0]?.[1].includes('/');
    })
    .toBe(true);
  return Object.keys(await kept(page)).join();
}

/** The mark that a test has put into a build's page. */
const mark = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector('meta[name=mark]')?.getAttribute('content') ?? null);

async function offline(stage: Stage, front: Front, { context }: Person): Promise<void> {
  stage.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket connection/);
  await context.setOffline(true);
  front.takeDown();
}

inChromium('WEB-53: offline, the app opens from the browser’s cache and says that it is offline', async () => {
  await withStage(async (stage) => {
    await using front = await Front.of(stage.world.url);
    const ann = await stage.person('ann', { url: front.url });
    const { page } = ann;
    const { id: chat_id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    await ann.open(chat_id);
    await ann.say('hello');
    await keptBuild(page);

    await offline(stage, front, ann);
    await page.reload();
    await page.getByRole('status').getByText('You’re offline.').waitFor();
    await page.getByRole('button', { name: 'Search' }).waitFor();
    // The conversation keeps loading instead of showing an error.
    await page.getByLabel('Loading the conversation').waitFor();
    await stage.picture('offline', page);
    // Lazily loaded scripts are cached too.
    await page.goto(`${front.url}/settings/appearance`);
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    await page.goBack();
    await page.getByLabel('Loading the conversation').waitFor();

    front.heal();
    await ann.context.setOffline(false);
    await ann.message('hello').waitFor();
    await ann.chat('Saved').waitFor();
    await page.getByRole('status').getByText('You’re offline.').waitFor({ state: 'detached' });
  });
});

inChromium('WEB-53: the cache contains no account data and no address with a secret', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
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
    const ann = await stage.person('ann', { url: front.url });
    const { page } = ann;
    const former = await keptBuild(page);
    expect(await mark(page)).toBeNull();

    const build = former.slice(former.lastIndexOf('-') + 1);
    front.changed.set('/', (html) => html.replace('<head>', '<head><meta name="mark" content="new">'));
    front.changed.set('/service-worker.js', (script) => script.replaceAll(build, `${build}2`));
    await page.reload();
    expect(await mark(page)).toBe('new');
    expect(await keptBuild(page, former)).toBe(`${former}2`);

    await offline(stage, front, ann);
    await page.reload();
    await page.getByRole('button', { name: 'Search' }).waitFor();
    expect(await mark(page)).toBe('new');
  });
});
