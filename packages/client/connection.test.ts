import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offlineDelayMs, retryDelayMs, soonDelayMs } from './backoff.ts';
import { type ConnectionEvent, type ConnectionState, nextState } from './connection-states.ts';
import { createClient } from './create-client.ts';
import { memoryStorage } from './environment.ts';
import { scopeOf } from './outbox-storage.ts';
import { createStore } from './store/create-store.ts';
import { FakeService, settled } from '@parley/testing/sdk/fake-service.ts';

const states = Object.keys(nextState) as ConnectionState[]; // its own keys
const events = Object.keys(nextState.live) as ConnectionEvent[];

/** A client that is live at position 10. */
async function live(service = new FakeService()) {
  const client = createClient(service.options);
  service.socket.hello(10);
  await settled();
  return { service, client, socket: service.socket };
}

describe('SDK-2: the table of states', () => {
  test('covers every event, and only connect() leads out of closed', () => {
    for (const state of states) expect(Object.keys(nextState[state]).toSorted()).toEqual(events.toSorted());
    const { connect, connectOffline, ...others } = nextState.closed;
    expect([connect, connectOffline]).toEqual(['connecting', 'offline']);
    expect(new Set(Object.values(others))).toEqual(new Set(['closed']));
    for (const state of states.filter((one) => one !== 'closed'))
      expect([nextState[state].connect, nextState[state].connectOffline]).toEqual([state, state]);
  });

  test('after any sequence of events, a working network leads to live, unless the client is closed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events)), (walk) => {
        let state: ConnectionState = 'connecting';
        for (const event of walk) {
          const next: ConnectionState = nextState[state][event];
          expect(states).toContain(next);
          // A client becomes live only after it has caught up.
          if (next === 'live' && state !== 'live') expect([state, event]).toEqual(['recovering', 'caughtUp']);
          state = next;
        }
        let well: ConnectionState = state;
        for (const event of ['retry', 'hello', 'caughtUp'] as const) well = nextState[well][event];
        expect(well).toBe(state === 'closed' ? 'closed' : 'live');
        expect(nextState[state].close).toBe('closed');
      }),
    );
  });
});

test('SDK-3: delays are random between 0 and a maximum that doubles up to 30 s', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, chance) => {
      const delayMs = retryDelayMs(attempt, () => chance);
      expect(delayMs).toBeGreaterThanOrEqual(0);
      expect(delayMs).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** attempt));
      expect(soonDelayMs(() => chance)).toBeLessThanOrEqual(2_000);
      expect(offlineDelayMs(() => chance)).toBeLessThanOrEqual(30_000);
    }),
  );
});

describe('SDK-4: a connection', () => {
  test('receives the greeting, catches up and becomes live', async () => {
    const service = new FakeService();
    const client = createClient(service.options);
    const seen: string[] = [client.state];
    client.onState((state) => seen.push(state));
    expect(service.socket.url).toBe('ws://service.example/api/ws?token=s_1&caps=ext,patch');
    service.socket.hello(10);
    await settled();
    expect(seen).toEqual(['connecting', 'recovering', 'live']);
    expect(client.account?.username).toBe('me');
    client.close();
    expect([client.state, client.closeReason, service.socket.isClosed]).toEqual(['closed', 'closed', true]);
    expect(service.clock.pending).toBe(0);
  });

  test('waits longer after each failure, and starts over with short delays once it was live for a while', async () => {
    const service = new FakeService();
    const client = createClient(service.options);
    const waits: (number | undefined)[] = [];
    for (let at = 0; at < 8; at += 1) {
      service.socket.end(1006);
      await settled();
      expect(client.state).toBe('waiting');
      waits.push(service.clock.nextMs);
      await service.clock.advance(service.clock.nextMs ?? 0);
      expect(client.state).toBe('connecting');
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    service.socket.hello(0);
    await settled();
    service.socket.end(1006);
    expect(service.clock.nextMs).toBe(15_000);
    await service.clock.advance(15_000);
    service.socket.hello(0);
    await settled();
    await service.clock.advance(10_000);
    service.socket.end(1006);
    expect(service.clock.nextMs).toBe(250);
    client.close();
  });

  test('counts as dead after 75 s without a frame; ticks keep it alive', async () => {
    const { service, client, socket } = await live();
    for (let at = 0; at < 4; at += 1) {
      await service.clock.advance(60_000);
      socket.receive({ method: 'events.tick', params: { head: 10 } });
    }
    expect(client.state).toBe('live');
    await service.clock.advance(74_999);
    expect(client.state).toBe('live');
    await service.clock.advance(1);
    expect([client.state, socket.isClosed]).toEqual(['waiting', true]);
    client.close();
  });

  test('is given up if no greeting arrives within 20 s', async () => {
    const service = new FakeService();
    const client = createClient(service.options);
    await service.clock.advance(20_000);
    expect(client.state).toBe('waiting');
    client.close();
  });

  test('closes when the network goes down and reopens with it; connecting is still attempted if the browser says offline', async () => {
    const { service, client } = await live();
    service.setOnline(false);
    expect([client.state, service.socket.isClosed]).toEqual(['offline', true]);
    service.setOnline(true);
    expect([client.state, service.sockets.length]).toEqual(['connecting', 2]);
    service.setOnline(false);
    await service.clock.advance(30_000);
    expect([client.state, service.sockets.length]).toEqual(['connecting', 3]);
    client.close();
  });

  test.each([1012, 1013])('closed by the service with %i reconnects soon', async (code) => {
    const { service, client, socket } = await live();
    await service.clock.advance(10_000);
    socket.end(code);
    expect(service.clock.nextMs).toBe(1_000);
    client.close();
  });

  test('that is closing takes no request: the request ends with it', async () => {
    const { client, socket } = await live();
    socket.readyState = 2;
    const before = socket.sent.length;
    const asked = client.api.getMe();
    expect(socket.sent).toHaveLength(before);
    socket.end(1001);
    // A read is then asked over HTTP, where nothing answers in this test.
    await expect(asked).rejects.toThrow('no connection');
    client.close();
  });

  test('closes when the session ends', async () => {
    const { client, socket, service } = await live();
    socket.end(4401);
    expect([client.state, client.closeReason]).toEqual(['closed', 'session_ended']);
    await service.clock.advance(100_000);
    expect(service.sockets).toHaveLength(1);
  });

  test('closes if the token is refused, which a browser can only learn over HTTP', async () => {
    const service = new FakeService();
    const body = { ok: false, error_code: 'unauthenticated', description: 'no' };
    service.answers['getMe'] = () => ({ status: 401, body });
    const client = createClient(service.options);
    service.socket.end(1006);
    await settled();
    expect([client.state, client.closeReason]).toEqual(['closed', 'unauthenticated']);
    expect(service.clock.pending).toBe(0);
  });
});

describe('SDK-42: renew()', () => {
  const tokenOf = ({ url }: { url: string }) => new URL(url).searchParams.get('token');
  const account = { ok: true, result: {} };

  test('a live client goes on in a socket with the new token, and catches up', async () => {
    const { service, client, socket } = await live();
    service.answers['getMe'] = () => ({ body: account });
    client.renew('s_2');
    expect([socket.isClosed, service.sockets.length, tokenOf(service.socket), client.token]).toEqual([
      true,
      2,
      's_2',
      's_2',
    ]);
    await client.api.getMe();
    expect(service.tokens).toEqual(['Bearer s_2']);
    service.socket.hello(12);
    expect(service.socket.sent[0]).toMatchObject({ method: 'getUpdates', params: { since: 10 } });
    service.socket.answer('getUpdates', { frames: [], head: 12 });
    await settled();
    // The end of the former session is not this one's.
    socket.end(4401);
    expect(client.state).toBe('live');
    client.close();
    expect(service.clock.pending).toBe(0);
  });

  test('a client whose session has ended opens again; one that the app has closed stays closed', async () => {
    const { service, client, socket } = await live();
    socket.end(4401);
    client.renew('s_2');
    expect([client.state, client.closeReason, tokenOf(service.socket)]).toEqual(['connecting', null, 's_2']);
    service.socket.hello(10);
    await settled();
    expect(client.state).toBe('live');
    client.close();
    client.renew('s_3');
    expect([client.state, client.closeReason, service.sockets.length]).toEqual(['closed', 'closed', 2]);
    client.connect();
    expect(tokenOf(service.socket)).toBe('s_3');
    client.close();
  });

  test('a waiting client tries the new token at once', async () => {
    const { service, client, socket } = await live();
    socket.end(1006);
    expect(client.state).toBe('waiting');
    client.renew('s_2');
    expect([client.state, tokenOf(service.socket)]).toEqual(['connecting', 's_2']);
    client.close();
    expect(service.clock.pending).toBe(0);
  });

  test('a 401 to a call with the former token does not close the client', async () => {
    const { service, client } = await live();
    service.answers['getMe'] = () => {
      client.renew('s_2');
      return { status: 401, body: { ok: false, error_code: 'unauthenticated', description: 'no' } };
    };
    await expect(client.api.getMe()).rejects.toThrow('unauthenticated');
    expect([client.state, client.closeReason]).toEqual(['connecting', null]);
    client.close();
  });
});

describe('SDK-41: connect()', () => {
  test('opens a closed client, which catches up from its position', async () => {
    const { service, client } = await live();
    const received: [text: string, isReplay: boolean][] = [];
    client.on('alert', ({ text }, { isReplay }) => received.push([text, isReplay]));
    client.close();
    client.close();
    await service.clock.advance(100_000);
    expect([service.sockets.length, client.state]).toEqual([1, 'closed']);

    client.connect();
    expect([service.sockets.length, client.state, client.closeReason]).toEqual([2, 'connecting', null]);
    service.socket.hello(12);
    const alert = { method: 'events.alert', params: { text: 'missed', level: 'info' }, seq: 12, prev: 10 };
    expect(service.socket.sent[0]).toMatchObject({ method: 'getUpdates', params: { since: 10 } });
    service.socket.answer('getUpdates', { frames: [alert], head: 12 });
    await settled();
    expect([client.state, received]).toEqual(['live', [['missed', true]]]);
    service.socket.frame(13, 12);
    expect(received.at(-1)).toEqual(['13', false]);
    client.close();
    expect(service.clock.pending).toBe(0);
  });

  test('does nothing on an open client, in any state', async () => {
    const { service, client, socket } = await live();
    client.connect();
    socket.end(1006);
    client.connect();
    expect([client.state, service.sockets.length]).toEqual(['waiting', 1]);
    service.setOnline(false);
    client.connect();
    expect([client.state, service.sockets.length]).toEqual(['offline', 1]);
    client.close();
  });

  test('without a network waits for it; each later change is followed once', async () => {
    const { service, client } = await live();
    client.close();
    service.setOnline(false);
    client.connect();
    expect([client.state, service.sockets.length]).toEqual(['offline', 1]);
    service.setOnline(true);
    expect([client.state, service.sockets.length]).toEqual(['connecting', 2]);
    client.close();
  });

  test('tries a refused token again', async () => {
    const { service, client, socket } = await live();
    socket.end(4401);
    client.connect();
    service.socket.hello(10);
    await settled();
    expect([client.state, client.closeReason]).toEqual(['live', null]);
    client.close();
    expect(client.closeReason).toBe('closed');
  });

  test('with autoConnect false, neither the client nor its store uses the network before', async () => {
    const service = new FakeService();
    const storage = memoryStorage();
    const message = { client_msg_id: 'c', params: { chat_id: 'one', text: 'a', client_msg_id: 'c' }, at: 1 };
    const scope = scopeOf('http://service.example me');
    await storage.setItem(`parley:outbox:${scope}:c`, JSON.stringify({ ...message, state: 'waiting' }));
    const client = createClient({ ...service.options, storage, account: 'me', autoConnect: false });
    const store = createStore(client);
    await service.clock.advance(100_000);
    expect([client.state, client.closeReason, client.stateCell.get()]).toEqual(['closed', 'closed', 'closed']);
    expect([service.sockets, service.requests, service.clock.pending]).toEqual([[], [], 0]);

    client.connect();
    await settled();
    expect([service.sockets.length, client.stateCell.get()]).toEqual([1, 'connecting']);
    expect(service.requests).toMatchObject([{ name: 'sendMessage', params: { client_msg_id: 'c' } }]);
    store.close();
    client.close();
  });
});
