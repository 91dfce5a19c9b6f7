import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { asyncApi } from './asyncapi.ts';
import { frontPage, joinPage } from './docs/layout.ts';
import { docsPage } from './docs/page.ts';
import { style } from './docs/style.ts';
import { openApi } from './openapi.ts';

const HTML_TYPE = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const security = {
  // Neither script nor style stands in a page, and nothing is loaded from elsewhere.
  'content-security-policy':
    "default-src 'self'; script-src 'none'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

type Page = readonly [path: string, type: string, make: () => string];

/** What stands where the web app would, if it had been built. */
const pagesWithoutApp: readonly Page[] = [
  ['/', HTML_TYPE, frontPage],
  // The same for every token: what it opens is told to those who come in alone (INVITE-3).
  ['/join/:token', HTML_TYPE, joinPage],
];

const pages: readonly Page[] = [
  ['/docs', HTML_TYPE, docsPage],
  ['/docs/style.css', 'text/css; charset=utf-8', () => style],
  ['/openapi.json', JSON_TYPE, () => JSON.stringify(openApi())],
  ['/asyncapi.json', JSON_TYPE, () => JSON.stringify(asyncApi())],
];

/** What there is to read, the same for everyone: made when it is first asked for, then kept. */
export function servePages(app: FastifyInstance, { hasApp }: { hasApp: boolean }): void {
  for (const [path, type, make] of hasApp ? pages : [...pagesWithoutApp, ...pages]) {
    let made: { text: string; gzipped: Buffer; etag: string } | undefined;
    app.get(path, { exposeHeadRoute: true, config: { isOpen: true } }, async (request, reply) => {
      made ??= prepare(make());
      reply.headers({ ...security, etag: made.etag, 'cache-control': 'no-cache', vary: 'accept-encoding, origin' });
      if (request.headers['if-none-match'] === made.etag) return reply.code(304).send();
      reply.type(type);
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(made.text);
      return reply.header('content-encoding', 'gzip').send(made.gzipped);
    });
  }
}

const prepare = (text: string) => ({ text, gzipped: gzipSync(text), etag: `W/"${hash('sha256', text).slice(0, 16)}"` });
