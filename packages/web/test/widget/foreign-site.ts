import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GivenToken } from '../../widget/host-messages.ts';

/** Attributes of the widget's script. */
export type Attributes = Readonly<Record<string, string>>;

/**
 * A website on another host and port than the service, with the widget on its page, and a backend that gives its page
 * tokens.
 */
export class ForeignSite implements AsyncDisposable {
  /** The page's own HTML. */
  body = '<h1>The shop</h1><p>We sell bicycles.</p><button>Buy</button>';
  /** What the backend answers, null for nobody; it fails if this throws. */
  token: () => Promise<string | GivenToken | null> = () => Promise.reject(new Error('nobody is signed in'));
  /** How often the page asked for a token. */
  asked = 0;
  #widget = '';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      if (request.url !== '/token') return void response.setHeader('content-type', 'text/html').end(this.#page());
      this.asked += 1;
      this.token().then(
        (given) => response.setHeader('content-type', 'application/json').end(JSON.stringify(given)),
        () => response.writeHead(500).end(),
      );
      return undefined;
    });
  }

  static async open(): Promise<ForeignSite> {
    const site = new ForeignSite();
    site.#server.listen(0, 'localhost');
    await once(site.#server, 'listening');
    return site;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo; // a TCP server has an AddressInfo
    return `http://localhost:${port}`;
  }

  /** Puts the widget of a service on the page. */
  embed(service: string, attributes: Attributes): void {
    const text = Object.entries(attributes).map(([name, value]) => ` data-${name}="${value}"`);
    this.#widget = `<script async src="${service}/widget.js"${text.join('')}></script>`;
  }

  #page(): string {
    return `<!doctype html><html lang="en"><head><meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" /><title>The shop</title>
      <style>:root { color-scheme: light dark } body { font-family: serif } button, div, iframe, parley-widget { border: 5px dotted red }</style>
      <script>
        window.parleyToken = async () => {
          const answer = await fetch('/token', { method: 'POST' });
          if (!answer.ok) throw new Error('no token');
          return answer.json();
        };
      </script>${this.#widget}</head><body>${this.body}</body></html>`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
