import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PageServer extends AsyncDisposable {
  readonly origin: string;
  /** The paths of all requests. */
  readonly asked: string[];
  /** Answers a request; `namedPage` by default. */
  answer: RequestListener;
}

export const page = (title: string, head = ''): string =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body>text</body></html>`;

/** Answers with a page that is named as its path. */
export const namedPage: RequestListener = ({ url = '' }, response) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(`Page ${url}`));

/** A site on loopback, whose pages links in tests lead to. */
export async function startPageServer(): Promise<PageServer> {
  const server = createServer((request, response) => {
    pages.asked.push(request.url ?? '');
    pages.answer(request, response);
  });
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const pages: PageServer = {
    origin: `http://127.0.0.1:${port}`,
    asked: [],
    answer: namedPage,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return pages;
}
