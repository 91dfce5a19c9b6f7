import type { FastifyInstance } from 'fastify';
import type { Service } from '../service/interface.ts';
import { accountByKey } from '../store/accounts.ts';
import { hostOf } from '../tools/server-views.ts';
import { escapeHtml } from './docs/html.ts';

/** How long the server of tools may take to answer a login. */
const FINISH_MS = 15_000;
const MAX_PARAMETER = 4_096;

type Query = Record<string, string | string[] | undefined>;

/**
 * Where people come back to after they have signed in to a server of tools, and the document that says who the service
 * is (TOOL-21, TOOL-22). The page first says for whom the login is: its address may have been sent by somebody else.
 */
export function serveToolLogins(app: FastifyInstance, { rooms, read, clock, logger }: Service): void {
  const { toolLogins } = rooms;

  app.get('/oauth/tools/client.json', { config: { isOpen: true } }, (_request, reply) => {
    const document = toolLogins.client.document();
    return document ? reply.send(document) : reply.callNotFound();
  });

  app.get<{ Querystring: Query }>('/oauth/tools/callback', { config: { isOpen: true } }, async ({ query }, reply) => {
    const [state, code, iss] = [one(query['state']), one(query['code']), one(query['iss'])];
    void reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const login = state === undefined ? undefined : await toolLogins.pending(state);
    if (!login || state === undefined)
      return reply.code(400).send(page('This login has expired', 'Start it again in Parley.'));
    if (code === undefined)
      return reply
        .code(400)
        .send(page('You are not signed in', 'The server did not let you in. Start again in Parley.'));
    const account = await read.get(accountByKey, login.accountKey);
    const host = hostOf(login.server.url);
    if (query['confirm'] !== '1') {
      const again = new URLSearchParams({ state, code, ...(iss !== undefined && { iss }), confirm: '1' });
      const words = `Agents will use your login to ${host} when @${account?.username ?? ''} asks them. Go on only if that is you.`;
      return page(`Connect ${host} with Parley?`, words, {
        href: `/oauth/tools/callback?${again.toString()}`,
        label: 'Connect',
      });
    }
    const stop = new AbortController();
    const timer = clock.setTimer(() => stop.abort(), FINISH_MS);
    try {
      if (await toolLogins.finish(state, code, iss, stop.signal))
        return page('You are signed in', 'You can close this page and go back to Parley.');
      void reply.code(400);
      return page('This login has expired', 'Start it again in Parley.');
    } catch (err) {
      logger.warn({ err, server: login.server.key }, 'a login to a server of tools failed');
      void reply.code(502);
      return page('You are not signed in', `${host} did not accept the login. Start again in Parley.`);
    } finally {
      timer.cancel();
    }
  });
}

const one = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_PARAMETER ? value : undefined;

function page(title: string, words: string, link?: { href: string; label: string }): string {
  const go = link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : '';
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(words)}</p>${go}</body></html>`;
}
