import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLanguage, type Language, languages } from '@parley/protocol/languages';
import { helpStyle } from './docs/help-style.ts';
import { helpPage } from './docs/help-page.ts';
import { pageSecurity } from './pages.ts';
import { openRoute } from './static-files.ts';

/** The pictures, which a test of the app makes. */
const pictures = fileURLToPath(new URL('docs/pictures', import.meta.url));

const headers = { ...pageSecurity, 'cache-control': 'no-cache' } as const;

/**
 * The help for people who do not program, at /help: a page in each language of the app, without scripts (HELP-1). /help
 * leads to the one that the browser prefers.
 */
export function serveHelp(app: FastifyInstance): void {
  const names = new Set(readdirSync(pictures));
  app.get('/help', openRoute, async (request, reply) =>
    reply.header('vary', 'accept-language').redirect(`/help/${preferred(request.headers['accept-language'])}`, 302),
  );
  app.get('/help/style.css', openRoute, async (_request, reply) =>
    reply.headers(headers).type('text/css; charset=utf-8').send(helpStyle),
  );
  app.get('/help/pictures/:name', openRoute, async (request, reply) => {
    const { name = '' } = request.params as { name?: string }; // of the path
    if (!names.has(name)) return missing(reply);
    return reply
      .headers(headers)
      .type('image/jpeg')
      .send(readFileSync(join(pictures, name)));
  });
  app.get('/help/:language', openRoute, async (request: FastifyRequest, reply: FastifyReply) => {
    const { language = '' } = request.params as { language?: string }; // of the path
    if (!isLanguage(language)) return missing(reply);
    return reply.headers(headers).type('text/html; charset=utf-8').send(helpPage(language, names));
  });
}

function missing(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

/** The first language of an Accept-Language header that the help has. Browsers name their languages in order. */
export const preferred = (header: string | undefined): Language =>
  (header ?? '')
    .split(',')
    .map((part) => (part.split(/[;-]/, 1)[0] ?? '').trim().toLowerCase())
    .find((name): name is Language => Object.hasOwn(languages, name)) ?? 'en';
