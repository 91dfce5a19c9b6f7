import type { BrowserContext } from 'playwright-core';

/** Watches pages for forbidden behaviour: errors, dialogs, requests to other hosts. */
export class PageWatch {
  readonly #problems: string[] = [];
  readonly #expected: RegExp[] = [];

  /** Errors that the test causes itself by cutting the network. */
  expect(...problems: RegExp[]): void {
    this.#expected.push(...problems);
  }

  context(context: BrowserContext, url: string): void {
    const { origin } = new URL(url);
    context.on('request', (request) => {
      const { protocol, origin: asked } = new URL(request.url());
      if (protocol.startsWith('http') && asked !== origin) this.#problems.push(`asked ${request.url()}`);
    });
    context.on('weberror', (error) => this.#problems.push(`threw ${String(error.error().stack)}`));
    context.on('console', (message) => {
      if (message.type() === 'error') this.#problems.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('dialog', (dialog) => {
      this.#problems.push(`opened a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Throws if a page did something forbidden. */
  check(): void {
    const problems = this.#problems.filter((problem) => !this.#expected.some((one) => one.test(problem)));
    if (problems.length > 0) throw new Error(`forbidden behaviour on pages:\n${problems.join('\n')}`);
  }
}
