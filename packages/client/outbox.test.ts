import { expect, test } from 'vitest';
import { FakeService, settled } from '@parley/testing/sdk/fake-service.ts';
import { createClient } from './create-client.ts';
import { type KeyValueStorage, type LockManager, memoryStorage } from './environment.ts';
import { ConnectionError } from './requests.ts';

/** A client without a socket, whose sends are answered over HTTP. */
function sending(options: { storage?: KeyValueStorage; locks?: LockManager; service?: FakeService } = {}) {
  const { service = new FakeService(), storage = memoryStorage(), locks } = options;
  const client = createClient({ ...service.options, storage, account: 'me', ...(locks && { locks }) });
  const texts = () => service.requests.filter(({ name }) => name === 'sendMessage').map(({ params }) => params['text']);
  const states = () => client.outbox.entries.get().map(({ params, state }) => `${params.text} ${state}`);
  return { service, client, storage, texts, states };
}

const stored = (params: Record<string, unknown>) => ({
  body: { ok: true, result: { id: `id of ${String(params['text'])}` } },
});
const refusal =
  (status: number, error_code: string, parameters = {}) =>
  () => ({
    status,
    body: { ok: false, error_code, description: 'no', parameters },
  });

test('SDK-12: messages of one conversation are sent in order; different conversations are sent in parallel', async () => {
  const { service, client, texts, states } = sending();
  service.answers['sendMessage'] = stored;
  for (const text of ['a', 'b']) client.send({ chat_id: 'one', text });
  client.send({ chat_id: 'two', text: 'c' });
  expect(states()).toEqual(['a waiting', 'b waiting', 'c waiting']);
  await service.clock.advance(0);
  expect(new Set(texts())).toEqual(new Set(['a', 'b', 'c']));
  expect(texts().indexOf('a')).toBeLessThan(texts().indexOf('b'));
  expect(states()).toEqual([]);
  client.close();
});

test.each(['closed', 'unauthenticated'] as const)(
  'SDK-31: send on a closed client (%s) throws and stores nothing',
  async (reason) => {
    const { service, client, texts, states } = sending();
    if (reason === 'closed') client.close();
    else {
      service.answers['getMe'] = refusal(401, 'unauthenticated');
      await client.api.getMe().catch(() => {});
    }
    expect(client.closeReason).toBe(reason);
    const message = { chat_id: 'one', text: 'a' };
    expect(() => client.send(message)).toThrow(
      new ConnectionError(`the client is closed (${reason}) and does not send messages`),
    );
    expect(() => client.outbox.send(message)).toThrow(ConnectionError);
    expect([states(), texts()]).toEqual([[], []]);
    client.close();
  },
);

test('SDK-13: without a connection, sending is retried with growing delays under one client_msg_id', async () => {
  const { service, client, texts, states } = sending();
  client.send({ chat_id: 'one', text: 'a' });
  await service.clock.advance(0);
  expect(states()).toEqual(['a waiting']);
  await service.clock.advance(10_000);
  const tries = texts().length;
  expect(tries).toBeGreaterThan(2);
  service.answers['sendMessage'] = stored;
  await service.clock.advance(30_000);
  expect(states()).toEqual([]);
  expect(
    new Set(service.requests.filter(({ name }) => name === 'sendMessage').map(({ params }) => params['client_msg_id']))
      .size,
  ).toBe(1);
  client.close();
});

test('SDK-13: rate_limited is retried after retry_after, not earlier, even if a connection opens meanwhile', async () => {
  const { service, client, texts, states } = sending();
  service.answers['sendMessage'] = refusal(429, 'rate_limited', { retry_after: 5 });
  client.send({ chat_id: 'one', text: 'a' });
  await service.clock.advance(4_000);
  service.socket.hello(0);
  await settled();
  expect([client.state, texts(), service.socket.sent]).toEqual(['live', ['a'], []]);
  service.socket.end(1006);
  await service.clock.advance(999);
  expect(texts()).toEqual(['a']);
  service.answers['sendMessage'] = stored;
  await service.clock.advance(5_000);
  expect([texts(), states()]).toEqual([['a', 'a'], []]);
  client.close();
});

test('SDK-14: a refused message fails without blocking others; the app retries or discards it', async () => {
  const { service, client, texts, states } = sending();
  service.answers['sendMessage'] = (params) => (params['text'] === 'b' ? stored(params) : refusal(403, 'forbidden')());
  for (const text of ['a', 'b', 'c']) client.send({ chat_id: 'one', text });
  await service.clock.advance(0);
  expect(states()).toEqual(['a failed', 'c failed']);
  const [a, c] = client.outbox.entries.get();
  expect(a?.error).toEqual({ code: 'forbidden', description: 'no' });
  service.answers['sendMessage'] = stored;
  client.outbox.retry(a?.client_msg_id ?? '');
  expect(client.outbox.discard(c?.client_msg_id ?? '')).toBe(true);
  await service.clock.advance(0);
  expect([texts(), states()]).toEqual([['a', 'b', 'c', 'a'], []]);
  client.close();
});

test('SDK-15: after a reload the page sends what was not sent yet, and nothing twice', async () => {
  const first = sending();
  first.service.answers['sendMessage'] = (params) => (params['text'] === 'a' ? stored(params) : { body: undefined });
  for (const text of ['a', 'b', 'c']) first.client.send({ chat_id: 'one', text });
  await first.service.clock.advance(0);
  first.client.close();
  const next = sending({ storage: first.storage });
  next.service.answers['sendMessage'] = stored;
  await settled();
  await next.service.clock.advance(0);
  expect([next.texts(), next.states()]).toEqual([['b', 'c'], []]);
  next.client.close();
  const last = sending({ storage: first.storage });
  await settled();
  expect(last.states()).toEqual([]);
  last.client.close();
});

test('SDK-15: another account does not send stored messages, and invalid entries are ignored', async () => {
  const storage = memoryStorage();
  await storage.setItem('parley:outbox:x:y', 'not JSON');
  const one = sending({ storage });
  one.client.send({ chat_id: 'one', text: 'a' });
  await settled();
  one.client.close();
  const other = createClient({ ...new FakeService().options, storage, account: 'other' });
  await settled();
  expect(other.outbox.entries.get()).toEqual([]);
  other.close();
});

test('SDK-16: where the browser refuses locks, messages are sent without them', async () => {
  const locks: LockManager = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) };
  const { service, client, texts, states } = sending({ locks });
  service.answers['sendMessage'] = stored;
  for (const text of ['a', 'b']) client.send({ chat_id: 'one', text });
  await service.clock.advance(0);
  expect([texts(), states()]).toEqual([['a', 'b'], []]);
  client.close();
});

test('SDK-16: of two tabs with a shared storage and locks, only one sends a message', async () => {
  const held = new Map<string, Promise<unknown>>();
  const locks: LockManager = {
    async request(name, _options, work) {
      const before = held.get(name);
      const turn = Promise.withResolvers<void>();
      held.set(name, turn.promise);
      await before;
      try {
        return await work();
      } finally {
        turn.resolve();
      }
    },
  };
  const service = new FakeService();
  const storage = memoryStorage();
  const one = sending({ service, storage, locks });
  for (const text of ['a', 'b', 'c']) one.client.send({ chat_id: 'one', text });
  await service.clock.advance(0);
  expect(one.states()).toHaveLength(3);
  const other = sending({ service, storage, locks });
  await settled();
  service.requests.length = 0;
  service.answers['sendMessage'] = stored;
  await service.clock.advance(60_000);
  expect(one.texts()).toEqual(['a', 'b', 'c']);
  expect([one.states(), other.states()]).toEqual([[], []]);
  one.client.close();
  other.client.close();
});

test('SDK-17: a message that arrives as an event counts as sent, even if its reply was lost', async () => {
  const { service, client, states } = sending();
  const sent: string[] = [];
  client.on('sent', ({ message }) => sent.push(message?.id ?? ''));
  service.socket.hello(0);
  await settled();
  const { client_msg_id } = client.send({ chat_id: 'one', text: 'a' });
  await settled();
  const message = { id: 'm', conversation_id: 'one', client_msg_id, sender: { username: 'me' }, status: 'complete' };
  service.socket.frame(1, 0, 'messageNew', message);
  expect([states(), sent]).toEqual([[], ['m']]);
  service.socket.end(1006);
  await service.clock.advance(60_000);
  expect(sent).toEqual(['m']);
  client.close();
});

test('SDK-41: a listener of the state that opens the client while it closes opens its outbox too', async () => {
  const { service, client, states } = sending();
  service.socket.hello(0);
  await settled();
  const end = client.onState(() => {
    end();
    client.connect();
  });
  client.close();
  client.send({ chat_id: 'one', text: 'a' });
  service.socket.hello(0);
  await settled();
  expect([client.state, states()]).toEqual(['live', ['a sending']]);
  client.close();
});

test('SDK-41: connect() sends what its outbox still holds; a message in flight is sent again under its id', async () => {
  const { service, client, states } = sending();
  service.socket.hello(0);
  await settled();
  const { client_msg_id } = client.send({ chat_id: 'one', text: 'a' });
  client.send({ chat_id: 'one', text: 'b' });
  await settled();
  expect(states()).toEqual(['a sending', 'b waiting']);
  client.close();
  await service.clock.advance(100_000);
  expect([states(), service.requests]).toEqual([['a waiting', 'b waiting'], []]);

  client.connect();
  service.socket.hello(0);
  await settled();
  expect(service.socket.sent).toMatchObject([{ method: 'sendMessage', params: { text: 'a', client_msg_id } }]);
  service.socket.answer('sendMessage', { id: 'a' });
  await settled();
  service.socket.answer('sendMessage', { id: 'b' });
  await settled();
  expect([states(), service.socket.sent, service.requests]).toEqual([[], [], []]);
  client.close();
});
