import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSite } from '@parley/guide/site.ts';
import { serveGuide } from '@parley/server/transport/guide.ts';
import { documented } from '@parley/testing/documents/code-blocks.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium, openBrowser } from '../setup/chromium.ts';
import { picture } from '../setup/pictures.ts';

/** Maximum time for building the site beside other tests. */
const BUILD_MS = 60_000;
let folder = '';
let app: FastifyInstance;
let url = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-guide-'));
  const { files } = await makeSite(fileURLToPath(new URL('../../../../', import.meta.url)), '/docs');
  for (const [address, content] of files) {
    mkdirSync(dirname(join(folder, address)), { recursive: true });
    writeFileSync(join(folder, address), content);
  }
  app = Fastify();
  serveGuide(app, `${folder}/`);
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/docs/guide`;
}, BUILD_MS);
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** Opens a page of the guide. Requests to other hosts, errors, and what the page's policy refuses fail the test. */
async function read(path: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await (await openBrowser()).newContext(options);
  const problems: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  await page.goto(`${url}${path}`);
  await use(page);
  await context.close();
  expect(problems).toEqual([]);
}

const dark = { colorScheme: 'dark' } as const;
const phone = { viewport: { width: 390, height: 844 } } as const;

inChromium('DOCS-4: the search finds passages by all words, and Enter opens the best one', async () => {
  await read('/index.html', {}, async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('tools sources');
    const results = page.getByRole('search').getByRole('link');
    await results.filter({ hasText: 'Thoughts, tools and sources' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/bots.html#thoughts-tools-and-sources');
    await page.getByRole('searchbox').fill('xyzzy');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });
});

inChromium('DOCS-4: the search works from a page in a folder', async () => {
  await read('/spec/log.html', {}, async (page) => {
    await page.getByRole('searchbox').fill('conversation_id vocabulary');
    await page.getByRole('search').getByRole('link').first().click();
    await page.waitForURL('**/vocabulary.html*');
  });
});

inChromium('DOCS-4: a page is used with the keyboard: the first Tab leads to its text', async () => {
  await read('/recipes.html', {}, async (page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });
});

inChromium('DOCS-4: on a phone the contents open over the text, and nothing is wider than the page', async () => {
  for (const path of ['/index.html', '/bots.html', '/vocabulary.html', '/running.html'])
    await read(path, phone, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      const contents = page.getByRole('navigation', { name: 'Contents' });
      expect(await contents.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Contents' }).click();
      await contents.getByRole('link', { name: 'Recipes' }).waitFor();
      await page.keyboard.press('Escape');
      await contents.waitFor({ state: 'hidden' });
      await page.getByRole('searchbox').fill('cursor');
      await page.getByRole('search').getByRole('link').first().waitFor();
      const { x = -1, width = 0 } = (await page.locator('.results').boundingBox()) ?? {};
      expect([x >= 0, x + width <= 390]).toEqual([true, true]);
    });
});

inChromium('DOCS-4: a button copies a block of code as it is in the document', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  await read('/bots.html', options, async (page) => {
    const copy = page.getByRole('button', { name: 'Copy' }).first();
    await copy.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(documented('docs/BOTS.md', 'echo'));
  });
});

inChromium.each([
  ['light', {}],
  ['dark', dark],
  ['phone', phone],
  ['phone-dark', { ...dark, ...phone }],
] as const)('DOCS-4: axe finds nothing serious on its pages (%s)', async (name, options) => {
  const kinds = ['index', 'recipes', 'vocabulary'];
  for (const path of name === 'light' ? [...kinds, 'bots', 'spec/log', 'repository/deploy/caddyfile'] : kinds)
    await read(`/${path}.html`, options, async (page) => {
      if (path === 'index' && name !== 'light') {
        await page.getByRole('searchbox').fill('cursor');
        await page.getByRole('search').getByRole('link').first().waitFor();
      }
      expect([path, await findings(page)]).toEqual([path, []]);
      await picture(`guide-${name}-${path.replaceAll('/', '-')}`, page);
    });
});
