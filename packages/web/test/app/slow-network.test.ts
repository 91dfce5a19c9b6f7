import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

/**
 * What the page may load before it paints: at 400 kbit/s an eighth of a second. With three round trips (connection, page,
 * files beside it) it is there within a second.
 */
const MAX_BYTES = 6_000;

/** Opens the app while its own scripts and styles do not arrive. */
async function open(stage: Stage, options: Parameters<Stage['browser']>[0] = {}) {
  const { page } = await stage.browser({ ...options, url: `${stage.world.url}/icon.svg` });
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() || response.url().includes('/opening-')) bodies.push(response.body());
  });
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<undefined>();
  await page.route(/\/assets\/(?!opening-)/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto(stage.world.url, { waitUntil: 'commit' });
  await page.locator('.opening').waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
  const opacity = () => page.locator('.opening').evaluate((opening) => Number(getComputedStyle(opening).opacity));
  await expect.poll(opacity).toBe(1);
  // The page, a style and a script.
  expect(bodies.length).toBe(3);
  const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeLessThan(MAX_BYTES);
  return { page, arrive: () => arrive(undefined) };
}

const paper = 'rgb(23, 24, 21)';

inChromium(
  'WEB-620: before its styles and scripts arrive, the page shows the app’s sign, or its outlines',
  async () => {
    await withStage(async (stage) => {
      const newcomer = await open(stage);
      const sign = newcomer.page.locator('.opening > svg');
      const { x = 0, width = 0 } = (await sign.boundingBox()) ?? {};
      expect(x + width / 2).toBe(600);
      await stage.picture('opening-sign', newcomer.page);
      newcomer.arrive();
      await newcomer.page.locator('form').waitFor();
      expect(await sign.count()).toBe(0);

      const ann = await stage.person('ann');
      await ann.page.evaluate(() => localStorage.setItem('parley.theme', 'dark'));
      await ann.page.evaluate(() => localStorage.setItem('parley.language', 'ar'));
      const known = await open(stage, { storageState: await ann.context.storageState() });
      const outlines = known.page.locator('.opening > div').first();
      const list = known.page.locator('aside').first();
      const before = await outlines.boundingBox();
      expect(before).toMatchObject({ x: 870, width: 330 });
      expect(await known.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(paper);
      await stage.picture('opening-app', known.page);
      known.arrive();
      await list.waitFor();
      expect(await list.boundingBox()).toEqual(before);
    });
  },
);
