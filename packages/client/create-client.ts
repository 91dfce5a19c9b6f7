import type { Account } from '@parley/protocol';
import { createCalls } from './calls.ts';
import type { Client, ClientOptions } from './client.ts';
import { confirmChanges } from './confirm-changes.ts';
import { Connection } from './connection.ts';
import type { ConnectionState } from './connection-states.ts';
import { memoryStorage, systemClock, systemLocks, systemNetwork, systemWebSocket } from './environment.ts';
import { Listeners, ListenerSet } from './event-names.ts';
import { Focus } from './focus.ts';
import { followLog } from './follow-log.ts';
import { FrameReader } from './frame-reader.ts';
import { SendQueue } from './outbox.ts';
import { OutboxStorage, scopeOf } from './outbox-storage.ts';
import { ValueCell } from './value-cell.ts';

const throwLater = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

/** Creates a client, which connects immediately, unless `autoConnect` is false, and stays connected until `close`. */
export function createClient(options: ClientOptions): Client {
  const { url, caps = ['ext', 'patch'], autoConnect = true, clock = systemClock, random = Math.random } = options;
  const { fetch: send = fetch, network = systemNetwork(), locks = systemLocks(), onError = throwLater } = options;
  const base = url.replace(/(?<!\/)\/+$/, '');
  const listeners = new Listeners(onError);
  const stateListeners = new ListenerSet<[state: ConnectionState, former: ConnectionState]>(onError);
  const stateCell = new ValueCell<ConnectionState>('closed');
  let { token } = options;
  let account: Account | null = options.self ?? null;

  // Each part uses those above it; only the events of a connection, which come once it is open, concern those below.
  const connection = new Connection({
    address: () => `${base.replace(/^http/, 'ws')}/api/ws?token=${encodeURIComponent(token)}&caps=${caps.join(',')}`,
    WebSocket: options.WebSocket ?? systemWebSocket(),
    network,
    clock,
    random,
    onHello({ params, head }) {
      account = params;
      focus.reconnected();
      reader.reconnected();
      log.greet(head);
    },
    onTick: (head) => log.tick(head),
    onFrame: (frame) => log.take(frame),
    onState(state, former) {
      if (state !== 'live' && state !== 'recovering') log.lose();
      stateCell.set(state);
      stateListeners.emit(state, former);
      if (state === 'live') queue.kick();
    },
    // A 401 is handled where API errors are; other errors are expected while offline.
    onNoGreeting: () => void api.getMe().catch(() => {}),
  });
  const { api, call } = createCalls(base, send, connection, () => token);
  const focus = new Focus(connection, caps);
  const scope = scopeOf(`${base} ${options.account ?? options.token}`);
  const queue = new SendQueue({
    storage: new OutboxStorage(options.storage ?? memoryStorage(), scope),
    lockName: `parley:outbox:${scope}`,
    locks,
    clock,
    random,
    send: (params) => call('sendMessage', params),
    change: ({ name, params }) => call(name, params),
    closeReason: () => connection.closeReason,
    onSent: (client_msg_id, message) => listeners.emit('sent', { client_msg_id, ...(message && { message }) }),
    onRefused: ({ client_msg_id, chat_id, change }, error) =>
      listeners.emit('changeRefused', { client_msg_id, chat_id, change, error }),
    isLive: () => connection.state === 'live',
  });
  const reader = new FrameReader({
    emit: (name, params, context) => listeners.emit(name, params, context),
    monotonic: () => clock.monotonic(),
    askForSnapshot: (id) => focus.ask({ snapshots: [id] }),
    fetchMessage: async (id) => (await call('getMessages', { message_ids: [id] }).catch(() => undefined))?.items[0],
    onOwnMessage: (message) => queue.confirm(message),
    isOwn: (message) => message.sender.username === account?.username,
  });
  const log = followLog(connection, reader, listeners, onError, { clock, random });
  log.position = options.since ?? null;
  listeners.add('accountUpdated', (changed) => {
    if (changed.username === account?.username) account = changed;
  });

  confirmChanges(listeners, queue, () => account?.username);

  const connect = (): void => {
    connection.connect();
    queue.open();
  };
  if (autoConnect) connect();
  return {
    url: base,
    get token() {
      return token;
    },
    caps,
    api,
    get state() {
      return connection.state;
    },
    stateCell,
    onState: (listener) => stateListeners.add(listener),
    get closeReason() {
      return connection.closeReason;
    },
    get account() {
      return account;
    },
    get position() {
      return log.position;
    },
    on: (name, listener) => listeners.add(name, listener),
    call,
    setFocus: (timeline) => focus.set(timeline),
    send: (params) => queue.send(params),
    outbox: queue,
    reconnect: () => connection.dispatch('retry'),
    connect,
    renew(next) {
      token = next;
      if (connection.closeReason === 'closed') return;
      if (connection.state === 'closed') return connect();
      connection.lose();
      connection.dispatch('retry');
    },
    close() {
      // Before the listeners of the state run: one of them may open the client again.
      queue.close();
      connection.refuse('closed');
    },
    attach: (consumer) => log.attach(consumer),
    adopt: (message) => reader.adopt(message),
  };
}
