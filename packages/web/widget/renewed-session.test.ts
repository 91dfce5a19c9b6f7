import type { Client } from '@parley/client';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { describe, expect, test } from 'vitest';
import type { TokenAnswer } from './host-messages.ts';
import { RenewedSession } from './renewed-session.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A client whose state the test sets. */
class FakeClient {
  token: string;
  state: Client['state'] = 'connecting';
  closeReason: Client['closeReason'] = null;
  /** The tokens that it was renewed with. */
  readonly renewed: string[] = [];
  readonly #listeners: Parameters<Client['onState']>[0][] = [];

  constructor(token: string) {
    this.token = token;
  }

  onState(listener: Parameters<Client['onState']>[0]): () => void {
    this.#listeners.push(listener);
    return () => undefined;
  }

  renew(token: string): void {
    this.token = token;
    this.renewed.push(token);
    this.closeReason = null;
    this.become('connecting');
  }

  close(): void {
    this.closeReason ??= 'closed';
    this.become('closed');
  }

  /** The service closes the socket with 4401. */
  refuse(): void {
    this.closeReason = 'unauthenticated';
    this.become('closed');
  }

  become(state: Client['state']): void {
    const former = this.state;
    this.state = state;
    for (const listener of this.#listeners) listener(state, former);
  }
}

/** A page that gives tokens such as `ann 1`, of Ann, and a service that accepts all but those in `refused`. */
async function begin(first: TokenAnswer | Promise<TokenAnswer>) {
  const clock = new ManualClock();
  const page = { answer: first, asked: 0 };
  const refused = new Set<string>();
  const clients: FakeClient[] = [];
  const renewed = new RenewedSession({
    ask: async () => {
      page.asked += 1;
      return page.answer;
    },
    async ownerOf(token) {
      if (refused.has(token)) throw new Error('401');
      return { username: token.split(' ')[0] ?? '', serviceNowMs: clock.now() };
    },
    open(username, token) {
      const client = new FakeClient(token);
      clients.push(client);
      return { username, client };
    },
    clock,
  });
  await clock.advance(0);
  const after = (ms: number) => new Date(clock.now() + ms).toISOString();
  return { clock, page, refused, clients, renewed, after };
}

const start = new ManualClock().now();

describe('WIDGET-5: when the page is asked again', () => {
  test.each([
    ['an hour', 3_600 * SECOND_MS, 3_540 * SECOND_MS],
    ['two minutes', 120 * SECOND_MS, 60 * SECOND_MS],
    ['one minute', 60 * SECOND_MS, 30 * SECOND_MS],
    ['three seconds', 3 * SECOND_MS, 10 * SECOND_MS],
  ])('a token that is valid for %s', async (_what, validMs, delayMs) => {
    const { clock, page } = await begin({ token: 'ann 1', expires_at: new Date(start + validMs).toISOString() });
    await clock.advance(delayMs - 1);
    expect(page.asked).toBe(1);
    await clock.advance(1);
    expect(page.asked).toBe(2);
  });

  test.each([
    ['without expires_at', undefined],
    ['with one that is no time', 'soon'],
    ['with one that has passed', new Date(start - MINUTE_MS).toISOString()],
  ])('a token %s is used until the service refuses it', async (_what, expires_at) => {
    const { clock, page } = await begin({ token: 'ann 1', ...(expires_at !== undefined && { expires_at }) });
    await clock.advance(24 * 60 * MINUTE_MS);
    expect([page.asked, clock.pendingTimers]).toEqual([1, 0]);
  });

  test('a page without a token is asked again after 1 s, 2 s and so on up to a minute', async () => {
    const { clock, page, renewed } = await begin('failed');
    expect(renewed.get()).toEqual({ kind: 'failed' });
    for (const [at, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      await clock.advance(seconds * SECOND_MS - 1);
      expect([seconds, page.asked]).toEqual([seconds, at + 1]);
      await clock.advance(1);
      expect([seconds, page.asked]).toEqual([seconds, at + 2]);
    }
  });
});

describe('WIDGET-5: a renewed session', () => {
  test('goes on with the next token of the same user, and with the same one without a new socket', async () => {
    const { clock, page, clients, after } = await begin({ token: 'ann 1', expires_at: '2026-01-01T01:00:00.000Z' });
    page.answer = { token: 'ann 1', expires_at: after(60 * MINUTE_MS) };
    await clock.advance(59 * MINUTE_MS);
    expect([page.asked, clients.length, clients[0]?.renewed]).toEqual([2, 1, []]);
    // At its end, not every few seconds before.
    page.answer = { token: 'ann 2' };
    await clock.advance(MINUTE_MS - 1);
    expect(page.asked).toBe(2);
    await clock.advance(1);
    expect([page.asked, clients.length, clients[0]?.renewed]).toEqual([3, 1, ['ann 2']]);
  });

  test('is kept while the service accepts the former token, and dropped once it is refused', async () => {
    const { clock, page, clients, renewed } = await begin({ token: 'ann 1', expires_at: '2026-01-01T01:00:00.000Z' });
    const [client] = clients;
    client?.become('live');
    page.answer = 'failed';
    await clock.advance(59 * MINUTE_MS);
    expect([page.asked, renewed.get().kind]).toEqual([2, 'open']);
    client?.refuse();
    await clock.advance(0);
    expect([page.asked, renewed.get().kind]).toEqual([3, 'failed']);
    page.answer = { token: 'ann 2' };
    await clock.advance(2 * SECOND_MS);
    expect([clients.length, renewed.get().kind]).toEqual([2, 'open']);
  });

  test('is dropped when nobody is signed in any more; the page is not asked until it says so', async () => {
    const { clock, page, clients, renewed } = await begin({ token: 'ann 1' });
    clients[0]?.become('live');
    page.answer = 'nobody';
    await renewed.renew({ anew: true });
    expect(renewed.get()).toEqual({ kind: 'nobody' });
    expect(clients[0]?.closeReason).toBe('closed');
    await clock.advance(24 * 60 * MINUTE_MS);
    expect([page.asked, clock.pendingTimers]).toEqual([2, 0]);
    page.answer = { token: 'bob 1' };
    await renewed.renew({ anew: true });
    expect(renewed.get()).toMatchObject({ kind: 'open', session: { username: 'bob' } });
  });

  test('is another one with a token of another user', async () => {
    const { page, clients, renewed } = await begin({ token: 'ann 1' });
    page.answer = { token: 'bob 1' };
    await renewed.renew();
    expect(renewed.get()).toMatchObject({ kind: 'open', session: { username: 'bob' } });
    expect(clients.map(({ closeReason }) => closeReason)).toEqual(['closed', null]);
  });

  test('does not ask without a delay if the service refuses each token only at the socket', async () => {
    const { clock, page, clients, renewed } = await begin({ token: 'ann 1' });
    for (const [at, seconds] of [1, 2, 4, 8].entries()) {
      clients.at(-1)?.refuse();
      await clock.advance(seconds * SECOND_MS - 1);
      expect([page.asked, renewed.get().kind]).toEqual([at + 1, 'failed']);
      await clock.advance(1);
      expect([page.asked, renewed.get().kind]).toEqual([at + 2, 'open']);
    }
    clients.at(-1)?.become('live');
    clients.at(-1)?.refuse();
    await clock.advance(0);
    expect([page.asked, clients.at(-1)?.renewed]).toEqual([6, ['ann 1']]);
  });

  test('does not take an answer about a former user that comes after the page said that one signed out', async () => {
    const late = Promise.withResolvers<TokenAnswer>();
    const { clock, page, clients, renewed } = await begin(late.promise);
    expect(renewed.get()).toEqual({ kind: 'asking' });
    page.answer = 'nobody';
    await renewed.renew({ anew: true });
    late.resolve({ token: 'ann 1' });
    await clock.advance(0);
    expect([renewed.get().kind, clients.length]).toEqual(['nobody', 0]);
  });
});
