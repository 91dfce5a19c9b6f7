import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

/** Lines kept of each page, the newest. */
const MAX_LINES = 2_000;
/** Characters kept of a frame or an answer. */
const MAX_CHARACTERS = 4_000;

const cut = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}… (${text.length})`;

/** What the pages of a context were sent: requests, answers, frames of sockets, messages of the console and errors. */
export class PageRecord {
  readonly #lines = new Map<Page, string[]>();
  readonly #startedAt = performance.now();

  context(context: BrowserContext): void {
    context.on('page', (page) => this.#follow(page));
  }

  /** Writes what is known of a page, and what it shows, beside the picture of a failure. */
  async save(page: Page, path: string): Promise<void> {
    const shown = await page.evaluate(() => document.body.innerText).catch((error: unknown) => String(error));
    const lines = this.#lines.get(page) ?? [];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, [page.url(), ...lines, '', 'The page shows:', shown, ''].join('\n'));
  }

  #follow(page: Page): void {
    const lines: string[] = [];
    this.#lines.set(page, lines);
    const note = (text: string): void => {
      lines.push(`${Math.round(performance.now() - this.#startedAt)} ms  ${text}`);
      if (lines.length > MAX_LINES) lines.shift();
    };
    page.on('framenavigated', (frame) => note(`is at ${frame.url()}`));
    page.on('console', (message) => note(`console ${message.type()}: ${cut(message.text())}`));
    page.on('pageerror', (error) => note(`threw ${String(error.stack)}`));
    page.on('request', (request) => {
      if (request.url().includes('/api/')) note(`> ${request.url()} ${cut(request.postData() ?? '')}`);
    });
    page.on('requestfailed', (request) => note(`failed ${request.url()}: ${request.failure()?.errorText ?? ''}`));
    page.on('response', (response) => {
      const what = `< ${response.status()} ${response.url()}`;
      if (!response.url().includes('/api/')) return note(what);
      void response.text().then(
        (text) => note(`${what} ${cut(text)}`),
        () => note(what),
      );
      return undefined;
    });
    page.on('websocket', (socket) => {
      note(`opens a socket`);
      socket.on('framesent', ({ payload }) => note(`socket > ${cut(String(payload))}`));
      socket.on('framereceived', ({ payload }) => note(`socket < ${cut(String(payload))}`));
      socket.on('close', () => note('the socket is closed'));
    });
  }
}
