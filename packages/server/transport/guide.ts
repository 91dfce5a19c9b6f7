import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { openRoute, StaticFiles } from './static-files.ts';

/** The build output of packages/guide. */
const built = fileURLToPath(new URL('../../guide/dist/', import.meta.url));

const headers = {
  // Scripts, styles, pictures and the index of the search load from this service only; nothing is inline (DOCS-2).
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const;

/** A section of the guide's navigation. Addresses are those of the pages as Markdown, from /docs/guide/. */
export interface GuideSection {
  readonly title: string;
  readonly pages: readonly { readonly title: string; readonly address: string; readonly summary: string }[];
}

/** Serves the guide at /docs/guide, and returns its pages; none if it has not been built. */
export function serveGuide(app: FastifyInstance, folder: string = built): readonly GuideSection[] {
  const files = new StaticFiles(folder, () => headers);
  if (!files.names.has('pages.json')) return [];
  files.serve(app, '/docs/guide/');
  app.get('/docs/guide/', openRoute, async (request, reply) => files.send('index.html', request, reply));
  // The pages' addresses are relative to a folder.
  app.get('/docs/guide', openRoute, async (_request, reply) => reply.redirect('/docs/guide/', 308));
  return JSON.parse(files.text('pages.json')) as GuideSection[]; // written by packages/guide/build.ts
}
