// The pages of the web scenario in a real Chromium: the app served by the service, and a naive React list.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import buildApp from '@parley/web/test/setup/build-app.ts';
import { wholeChromiumPath } from '@parley/web/test/setup/chromium-place.ts';
import react from '@vitejs/plugin-react';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { newDataDir, removeDataDir } from '../service/data-dirs.ts';
import { devToken } from '../service/running-service.ts';

const naiveRoot = fileURLToPath(new URL('../../packages/web/test/bench/', import.meta.url));
const viewport = { width: 1_200, height: 800 };
const typeOf = (path: string): string =>
  path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html';

export class Pages {
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #url: string;
  readonly #reader: string;

  private constructor(browser: Browser, folder: string, url: string, reader: string) {
    this.#browser = browser;
    this.#folder = folder;
    this.#url = url;
    this.#reader = reader;
  }

  static async open(url: string, reader: string): Promise<Pages> {
    await buildApp();
    const folder = await newDataDir();
    await build({
      root: naiveRoot,
      base: '/naive/',
      configFile: false,
      logLevel: 'error',
      plugins: [react()],
      build: {
        outDir: folder,
        emptyOutDir: true,
        rolldownOptions: {
          input: {
            naive: `${naiveRoot}naive.html`,
            typing: `${naiveRoot}typing-probe.ts`,
            frames: `${naiveRoot}frame-probe.ts`,
            interactive: `${naiveRoot}interactive-probe.ts`,
          },
          output: { entryFileNames: '[name].js' },
        },
      },
    });
    const browser = await chromium.launch({ executablePath: wholeChromiumPath(), args: ['--no-sandbox'] });
    return new Pages(browser, folder, url, reader);
  }

  /**
   * Opens the conversation in the app, with this many messages loaded, scrolled to its end; returns the script bytes
   * too.
   */
  async app(chatId: string, messages: number): Promise<{ page: Page; scriptBytes: number }> {
    const page = await this.cold();
    const sizes: Promise<{ responseBodySize: number }>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') sizes.push(request.sizes());
    });
    await page.goto(`${this.#url}/chat/${chatId}`);
    await page.locator('[data-text]').last().waitFor();
    const scriptBytes = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    const timeline = page.getByRole('log', { name: 'Messages' });
    // Scrolls up to the first message, and back.
    const first = page.getByText(`message 0 `, { exact: false });
    while ((await first.count()) === 0) {
      await timeline.evaluate((element: { scrollTop: number }) => (element.scrollTop = 0));
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    }
    await this.toEnd(page);
    await page
      .getByText(`message ${messages - 1} `)
      .last()
      .waitFor();
    return { page, scriptBytes };
  }

  /**
   * Scrolls the timeline to its end. The button that leads there goes when the timeline arrives by itself, so it is looked
   * for and clicked at once in the page.
   */
  async toEnd(page: Page): Promise<void> {
    await page.evaluate(`document.querySelector('[aria-label="Jump to latest"]')?.click()`);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
  }

  async naive(chatId: string, messages: number): Promise<Page> {
    const context = await this.#context();
    // The route below serves the page, so Chromium does not count it as local: without this it may not connect to the
    // local service.
    await context.grantPermissions(['local-network-access']);
    const page = await context.newPage();
    await page.route('**/naive/**', (route) => {
      const path = new URL(route.request().url()).pathname.replace('/naive/', '');
      return route.fulfill({ body: readFileSync(`${this.#folder}/${path}`), contentType: typeOf(path) });
    });
    await page.goto(`${this.#url}/naive/naive.html?chat=${chatId}`);
    await page.getByText(`message ${messages - 1} `).waitFor();
    return page;
  }

  /** An empty page in a new context: nothing is cached, and no service worker is there. */
  async cold(): Promise<Page> {
    return (await this.#context()).newPage();
  }

  /** A script to evaluate through the debugger, because the page's policy allows no other scripts. */
  probe(name: 'typing' | 'frames' | 'interactive'): string {
    return readFileSync(`${this.#folder}/${name}.js`, 'utf8');
  }

  async trace(page: Page, work: () => Promise<void>): Promise<string> {
    await this.#browser.startTracing(page, {
      categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    });
    await work();
    return (await this.#browser.stopTracing()).toString();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await removeDataDir(this.#folder);
  }

  async #context(): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ viewport });
    context.setDefaultTimeout(60_000);
    const session = { 'parley.token': devToken(this.#reader), 'parley.username': this.#reader };
    await context.addInitScript(
      `if (location.origin !== 'null') Object.assign(localStorage, ${JSON.stringify(session)})`,
    );
    return context;
  }
}
