import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admitCall } from '../calls/dispatch.ts';
import { theService } from '../calls/unit-queue.ts';
import { ServiceError } from '../core/errors.ts';
import { IssuerAway, IssuerRefuses } from '../people/oidc/issuer-client.ts';
import { NoSuchSignIn } from '../people/oidc/oidc-sign-ins.ts';
import type { Service } from '../service/interface.ts';
import type { Refusal } from '../units/note-refusal.ts';
import type { AddressOf } from './addresses.ts';
import { frontPage } from './front-page.ts';
import { browserOf, cookieFor } from './oidc-cookie.ts';
import { originOf } from './origins.ts';
import { pageSecurity } from './pages.ts';
import type { RequestBodies } from './request-bodies.ts';

interface OidcParts {
  service: Service;
  addressOf: AddressOf;
  bodies: RequestBodies;
}

type Query = Record<string, string | string[] | undefined>;
interface Route {
  Params: { id: string };
  Querystring: Query;
}

/** Why a sign-in ends with a page instead of a session. */
interface Trouble {
  status: 400 | 403 | 404 | 429 | 502 | 503;
  title: string;
  words: string;
  /** Seconds. */
  retryAfter?: number;
}

const MAX_PARAMETER = 2_048;
const isOpen = { config: { isOpen: true } } as const;

const unknown: Trouble = {
  status: 404,
  title: 'There is no such sign-in',
  words: 'Go back to Parley and sign in there.',
};
const expired: Trouble = {
  status: 400,
  title: 'This sign-in has expired',
  words: 'It was completed already, took longer than 10 minutes, or was begun in another browser. Start it again.',
};
const refusedThere: Trouble = {
  status: 403,
  title: 'You are not signed in',
  words: 'The sign-in was cancelled, or you are not let in there.',
};
const away: Trouble = {
  status: 503,
  title: 'The sign-in does not answer',
  words: 'Try again in a moment. If it stays so, tell the people who run this service.',
};
const busy: Trouble = {
  status: 503,
  title: 'Parley is busy',
  words: 'Try again in a moment.',
};
const tooMany: Trouble = {
  status: 429,
  title: 'Too many sign-ins',
  words: 'Wait a minute, and start again.',
};
const wrong: Trouble = {
  status: 502,
  title: 'The sign-in did not work',
  words: 'What came back from it cannot be trusted or understood. Tell the people who run this service.',
};

/** Sign-in at OpenID Connect issuers: the way there, the way back, and their word that a session has ended (OIDC-2 …). */
export function serveOidc(app: FastifyInstance, parts: OidcParts): void {
  const { service, addressOf } = parts;
  const { config, rooms } = service;
  const admit = (request: FastifyRequest) =>
    admitCall(service, 'exchangeSignIn', {}, { caller: null, address: addressOf(request.raw) });

  app.get<Route>('/oidc/:id/start', isOpen, async (request, reply) => {
    const { id } = request.params;
    if (!rooms.oidc.issuer(id)) return sendPage(reply, unknown);
    const origin = originOf(config, request.headers);
    const { browser, cookie } = cookieFor(config, request.headers);
    try {
      await admit(request);
      const url = await rooms.oidc.begin(id, {
        browser,
        redirectUri: `${origin}/oidc/${id}/callback`,
        next: safeNext(one(request.query['next']), origin),
        invite: one(request.query['invite']) ?? null,
      });
      return await reply.header('set-cookie', cookie).redirect(url, 302);
    } catch (error) {
      return sendPage(reply, troubleOf(service, id, error));
    }
  });

  app.get<Route>('/oidc/:id/callback', isOpen, async (request, reply) => {
    const { id } = request.params;
    if (!rooms.oidc.issuer(id)) return sendPage(reply, unknown);
    const { query } = request;
    const state = one(query['state']);
    const browser = browserOf(config, request.headers);
    try {
      await admit(request);
      if (state === undefined || browser === undefined) return await sendPage(reply, expired);
      const begun = await rooms.oidc.take(id, state, browser);
      const error = one(query['error']);
      if (error !== undefined) return await sendPage(reply, troubleOfAnswer(error));
      if (one(query['code']) === undefined) return await sendPage(reply, wrong);
      const search = request.url.slice(request.url.indexOf('?'));
      const code = await rooms.oidc.finish(begun, {
        query: search,
        state,
        browser,
        address: addressOf(request.raw),
      });
      return await reply.redirect(`${begun.next}#sign_in=${code}`, 303);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'forbidden') await noteFailure(parts, request, error);
      return sendPage(reply, troubleOf(service, id, error));
    }
  });

  void app.register(async (scope) => serveLogout(scope, parts));
}

/** Its parser of forms applies to this route only. */
function serveLogout(scope: FastifyInstance, { service, bodies }: OidcParts): void {
  const { oidc } = service.rooms;
  scope.addContentTypeParser(
    /^application\/x-www-form-urlencoded\s*(;|$)/i,
    (request: FastifyRequest, payload: Readable) =>
      bodies.counted(
        request,
        bodies.read(request, payload).then((body) => new URLSearchParams(body.toString())),
      ),
  );
  scope.post<Route>('/oidc/:id/logout', isOpen, async (request, reply) => {
    const { id } = request.params;
    void reply.header('cache-control', 'no-store');
    if (!oidc.issuer(id)) return reply.code(404).send({ error: 'invalid_request' });
    const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
    const refuse = () => {
      bodies.countRefusal(request);
      return reply.code(400).send({ error: 'invalid_request' });
    };
    if (token === null || token === '') return refuse();
    try {
      return (await oidc.logout(id, token)) ? await reply.code(200).send() : await refuse();
    } catch (err) {
      service.logger.warn({ err, issuer: id }, 'refused a logout token');
      return refuse();
    }
  });
}

/** An address of this service to go on to; `/` for any other (OIDC-2). */
export function safeNext(next: string | undefined, origin: string): string {
  // Browsers drop these characters, and take a backslash for a slash.
  // oxlint-disable-next-line no-control-regex -- see above
  if (next === undefined || !next.startsWith('/') || /[\u0000-\u0020\\\u007f]/.test(next)) return '/';
  const url = URL.parse(next, origin);
  const path = url ? url.pathname + url.search : '/';
  return url?.origin === new URL(origin).origin && !path.startsWith('//') ? path : '/';
}

/** What the issuer says instead of a code. */
function troubleOfAnswer(error: string): Trouble {
  if (error === 'access_denied') return refusedThere;
  if (error === 'temporarily_unavailable' || error === 'server_error') return away;
  return { ...wrong, status: 400, words: 'The sign-in was refused there. Start it again.' };
}

function troubleOf({ logger }: Service, issuer: string, error: unknown): Trouble {
  if (error instanceof NoSuchSignIn || error instanceof IssuerRefuses) return expired;
  if (error instanceof ServiceError && error.code === 'forbidden')
    return {
      status: 403,
      title: 'You are not let in',
      words: `${sentence(error.message)} Ask the people who run this service.`,
    };
  if (error instanceof ServiceError && error.code === 'rate_limited') {
    const after = error.parameters?.['retry_after'];
    return { ...tooMany, ...(typeof after === 'number' && { retryAfter: after }) };
  }
  if (error instanceof ServiceError && error.code === 'unavailable') return busy;
  if (error instanceof ServiceError) throw error;
  logger.warn({ err: error, issuer }, 'a sign-in at an issuer failed');
  return error instanceof IssuerAway ? away : wrong;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The row of the audit for a sign-in that is refused here, although the issuer has confirmed it (AUDIT-6). */
async function noteFailure({ service, addressOf }: OidcParts, request: FastifyRequest<Route>, error: ServiceError) {
  const issuer = service.rooms.oidc.issuer(request.params.id)?.issuer;
  const entry = { actor: null, details: { failed: error.message, issuer } };
  const refusal: Refusal = { action: 'signIn', entry };
  const address = addressOf(request.raw);
  await service.units.run('noteRefusal', theService, refusal, service.clock.now(), { address }).catch(() => {});
}

const one = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_PARAMETER ? value : undefined;

const sendPage = (reply: FastifyReply, { status, title, words, retryAfter }: Trouble) =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      ...pageSecurity,
      'cache-control': 'no-store',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    })
    .send(frontPage(title, words, { href: '/', label: 'Back to Parley' }));
