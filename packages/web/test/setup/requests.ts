import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** The requests of a page that are not answered yet. */
export class Requests {
  readonly #page: Page;
  readonly #open = new Set<Request>();

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => this.#open.add(request));
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
  }

  /** Waits until the page has drawn every answer and asks for nothing more. Unlike `networkidle` it adds no half second. */
  async settled(): Promise<void> {
    do {
      await expect.poll(() => this.#open.size).toBe(0);
      await this.#page.evaluate(async () => {
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
      });
    } while (this.#open.size > 0);
  }
}
