import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../service/config.ts';
import { asyncApi } from './asyncapi.ts';
import { frontPage, joinPage } from './docs/layout.ts';
import { llmsTxt } from './docs/llms-txt.ts';
import { markdownOf } from './docs/markdown.ts';
import { docsPage } from './docs/page.ts';
import { style } from './docs/style.ts';
import type { GuideSection } from './guide.ts';
import { openApi } from './openapi.ts';
import { originOf } from './origins.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const security = {
  // No inline scripts or styles, and nothing is loaded from other hosts.
  'content-security-policy':
    "default-src 'self'; script-src 'none'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

type Page = readonly [path: string, type: string, make: (origin: string) => string];

/** Maximum number of cached renderings per page, one per address; made-up Host headers cannot fill the memory. */
const MOST_KEPT = 16;

/** Pages served if the web app is not built. */
const pagesWithoutApp: readonly Page[] = [
  ['/', HTML_TYPE, frontPage],
  // The same for every token: only joining reveals the group (INVITE-3).
  ['/join/:token', HTML_TYPE, joinPage],
];

const pages = (guide: readonly GuideSection[]): readonly Page[] => [
  ['/docs', HTML_TYPE, (origin) => docsPage(origin, guide.length > 0)],
  ['/docs.md', MARKDOWN_TYPE, (origin) => markdownOf(docsPage(origin, guide.length > 0), origin)],
  ['/llms.txt', TEXT_TYPE, (origin) => llmsTxt(origin, guide)],
  ['/docs/style.css', 'text/css; charset=utf-8', () => style],
  ['/openapi.json', JSON_TYPE, () => JSON.stringify(openApi())],
  ['/asyncapi.json', JSON_TYPE, () => JSON.stringify(asyncApi())],
];

interface PagesOptions extends Pick<Config, 'publicUrl'> {
  hasApp: boolean;
  /** Empty if it is not built. */
  guide: readonly GuideSection[];
}

/** Stands for the service's address in what is rendered. */
const SOME_ORIGIN = 'https://parley.invalid';

/** Serves the documents. Each is the same for everyone at one address, rendered on first request and cached. */
export function servePages(app: FastifyInstance, { hasApp, guide, publicUrl }: PagesOptions): void {
  for (const [path, type, make] of hasApp ? pages(guide) : [...pagesWithoutApp, ...pages(guide)]) {
    const kept = new Map<string, ReturnType<typeof prepare>>();
    let rendered: string | undefined;
    app.get(path, { exposeHeadRoute: true, config: { isOpen: true } }, async (request, reply) => {
      // A page whose renderer takes no origin is the same at every address.
      const origin = make.length === 0 ? '' : originOf({ publicUrl }, request.headers).toLowerCase();
      // Rendered once: it is slow, and any caller can make up addresses.
      rendered ??= make(SOME_ORIGIN);
      const made = kept.get(origin) ?? prepare(rendered.replaceAll(SOME_ORIGIN, origin));
      const [oldest = ''] = kept.keys();
      if (!kept.has(origin) && kept.size >= MOST_KEPT) kept.delete(oldest);
      kept.set(origin, made);
      reply.headers({ ...security, etag: made.etag, 'cache-control': 'no-cache', vary: 'accept-encoding, origin' });
      if (request.headers['if-none-match'] === made.etag) return reply.code(304).send();
      reply.type(type);
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(made.text);
      return reply.header('content-encoding', 'gzip').send(made.gzipped);
    });
  }
}

const prepare = (text: string) => ({ text, gzipped: gzipSync(text), etag: `W/"${hash('sha256', text).slice(0, 16)}"` });
