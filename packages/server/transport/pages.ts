import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../service/config.ts';
import { atAddress, lengthOf, type PackedPage } from './docs/packed-page.ts';
import type { GuideSection } from './guide.ts';
import { originOf } from './origins.ts';

const HTML_TYPE = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Of every page that the service makes itself. */
export const pageSecurity = {
  // No inline scripts or styles, and nothing is loaded from other hosts.
  'content-security-policy':
    "default-src 'self'; script-src 'none'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Pages served if the web app is not built. `/join` is the same for every token: only joining reveals the group (INVITE-3). */
const pagesWithoutApp = { '/': HTML_TYPE, '/join/:token': HTML_TYPE } as const;

/** The documents, with their types; `renderPages` makes their texts. */
const pages = {
  '/docs': HTML_TYPE,
  '/docs.md': 'text/markdown; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/docs/style.css': 'text/css; charset=utf-8',
  '/openapi.json': JSON_TYPE,
  '/asyncapi.json': JSON_TYPE,
} as const;

interface PagesOptions extends Pick<Config, 'publicUrl'> {
  hasApp: boolean;
  /** Empty if it is not built. */
  guide: readonly GuideSection[];
}

/**
 * Serves the documents. They are rendered and compressed once, at the first request; the address at which one is read
 * is put between its compressed pieces. Nothing is kept for an address: any caller can make up more (API-18).
 */
export function servePages(app: FastifyInstance, { hasApp, guide, publicUrl }: PagesOptions): void {
  const packed = new PackedPages(guide);
  app.addHook('onClose', () => packed.close());
  for (const [path, type] of Object.entries(hasApp ? pages : { ...pagesWithoutApp, ...pages }))
    app.get(path, { exposeHeadRoute: true, config: { isOpen: true } }, async (request, reply) => {
      const page = atAddress(await packed.at(path), originOf({ publicUrl }, request.headers).toLowerCase());
      reply.headers({ ...pageSecurity, etag: page.etag, 'cache-control': 'no-cache', vary: 'accept-encoding, origin' });
      if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
      const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      if (isPacked) reply.header('content-encoding', 'gzip');
      const bytes = isPacked ? page.packed() : page.plain;
      // The pieces are shared by all responses, and so take no memory in one that its reader does not read.
      return reply.type(type).header('content-length', lengthOf(bytes)).send(Readable.from(bytes));
    });
}

/** The packed pages, made by a thread that ends when it has made them. */
class PackedPages {
  readonly #guide: readonly GuideSection[];
  #made: Promise<Record<string, PackedPage>> | null = null;
  #worker: Worker | null = null;

  constructor(guide: readonly GuideSection[]) {
    this.#guide = guide;
  }

  async at(path: string): Promise<PackedPage> {
    this.#made ??= this.#make();
    try {
      const page = (await this.#made)[path];
      if (!page) throw new Error(`nothing renders ${path}`);
      return page;
    } catch (error) {
      // The next request tries again.
      this.#made = null;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #make(): Promise<Record<string, PackedPage>> {
    const worker = new Worker(new URL('./docs/render-worker.ts', import.meta.url), { workerData: this.#guide });
    this.#worker = worker;
    worker.unref();
    const exit = once(worker, 'exit').then(() => {
      throw new Error('the documents were not rendered');
    });
    // Also ends after its message.
    exit.catch(() => {});
    const [made] = (await Promise.race([once(worker, 'message'), exit])) as [Record<string, PackedPage>]; // its message
    return made;
  }
}
