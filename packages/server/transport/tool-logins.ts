import type { FastifyInstance } from 'fastify';
import type { Identity } from '../rules/asking-calls.ts';
import type { Service } from '../service/interface.ts';
import { accountByKey } from '../store/accounts.ts';
import { hostOf } from '../tools/server-views.ts';
import { frontPage } from './front-page.ts';
import { pageSecurity } from './pages.ts';

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
      // No other page can frame it, and lead to a press of its link.
      .headers({ ...pageSecurity, 'cache-control': 'no-store' });
    const login = state === undefined ? undefined : await toolLogins.pending(state);
    if (!login || state === undefined)
      return reply.code(400).send(frontPage('This login has expired', 'Start it again in Parley.'));
    if (code === undefined)
      return reply
        .code(400)
        .send(frontPage('You are not signed in', 'The server did not let you in. Start again in Parley.'));
    const account = await read.get(accountByKey, login.accountKey);
    const host = hostOf(login.server.url);
    if (query['confirm'] !== '1') {
      const again = new URLSearchParams({ state, code, ...(iss !== undefined && { iss }), confirm: '1' });
      const agent = await read.get(accountByKey, login.server.agent_key);
      const words = wordsOf(login.server.identity, {
        host,
        agent: agent?.username ?? '',
        person: account?.username ?? '',
      });
      return frontPage(`Connect ${host} with Parley?`, words, {
        href: `/oauth/tools/callback?${again.toString()}`,
        label: 'Connect',
      });
    }
    const stop = new AbortController();
    const timer = clock.setTimer(() => stop.abort(), FINISH_MS);
    try {
      if (await toolLogins.finish(state, code, iss, stop.signal))
        return frontPage('You are signed in', 'You can close this page and go back to Parley.');
      void reply.code(400);
      return frontPage('This login has expired', 'Start it again in Parley.');
    } catch (err) {
      logger.warn({ err, server: login.server.key }, 'a login to a server of tools failed');
      void reply.code(502);
      return frontPage('You are not signed in', `${host} did not accept the login. Start again in Parley.`);
    } finally {
      timer.cancel();
    }
  });
}

/** For whom an agent will use the login. */
const wordsOf = (
  identity: Identity,
  { host, agent, person }: { host: string; agent: string; person: string },
): string =>
  identity === 'owner'
    ? `You are @${person}. @${agent} will use your login to ${host} for everybody who asks it. Go on only if that is you.`
    : `@${agent} will use your login to ${host} when @${person} asks it. Go on only if that is you.`;

const one = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_PARAMETER ? value : undefined;
