import type { Account, Frame, Message, OperationName, Params, Result } from '@parley/protocol';
import { ApiError, type CallOptions, createApi } from './api.ts';
import type { Client, ClientOptions, TimelineKey } from './client.ts';
import { Connection, type Greeting } from './connection.ts';
import type { ConnectionState } from './connection-states.ts';
import { memoryStorage, systemClock, systemLocks, systemNetwork, systemWebSocket } from './environment.ts';
import { Listeners } from './event-names.ts';
import { FrameReader } from './frame-reader.ts';
import { LogFollower } from './log-follower.ts';
import { SendQueue } from './outbox.ts';
import { OutboxStorage, scopeOf } from './outbox-storage.ts';
import { ConnectionError } from './requests.ts';
import { ValueCell } from './value-cell.ts';

/** A 401 from these operations concerns the password, not the token. */
const isOpen = (url: unknown): boolean => typeof url === 'string' && /\/api\/(signIn|signUp)$/.test(url);

const throwLater = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

/** Frames per page while catching up. Without a limit the service never answers with `more`. */
const UPDATES_PAGE = 1_000;

/** Creates a client, which connects immediately, unless `autoConnect` is false, and stays connected until `close`. */
export function createClient(options: ClientOptions): Client {
  const { url, caps = ['ext', 'patch'], autoConnect = true } = options;
  const { clock = systemClock, random = Math.random } = options;
  const { fetch: send = fetch, network = systemNetwork(), locks = systemLocks(), onError = throwLater } = options;
  const base = url.replace(/(?<!\/)\/+$/, '');
  const listeners = new Listeners(onError);
  const stateListeners = new Set<(state: ConnectionState, former: ConnectionState) => void>();
  let { token } = options;
  let account: Account | null = options.self ?? null;
  let focus: TimelineKey | null = null;

  const api = createApi({
    url: base,
    token: () => token,
    async fetch(input, init) {
      const used = token;
      const response = await send(input, init);
      // A refused token may have been replaced meanwhile.
      if (response.status === 401 && !isOpen(input) && used === token) connection.refuse('unauthenticated');
      return response;
    },
  });

  const call = async <Name extends OperationName>(
    name: Name,
    params?: Params<Name>,
    callOptions?: CallOptions,
  ): Promise<Result<Name>> => {
    // Files can only be sent over HTTP.
    if (connection.state === 'live' && name !== 'uploadFile' && !callOptions?.keepalive)
      // The socket method of the same name returns the operation's result.
      return (await connection.request(name, params ?? {}, callOptions?.signal)) as Result<Name>;
    try {
      // The proxy's method for `name` has exactly these params and this result.
      const method = api[name] as unknown as (given?: Params<Name>, how?: CallOptions) => Promise<Result<Name>>;
      return await method(params, callOptions);
    } catch (error) {
      if (error instanceof ApiError || callOptions?.signal?.aborted) throw error;
      throw new ConnectionError(`${name} was not answered`, { cause: error });
    }
  };

  const sendFocus = (): void => {
    const { socketId } = connection;
    if (!caps.includes('focus') || socketId === null) return;
    // The focused timeline may be invisible to the account, or the socket may close; the next socket sets the focus
    // again.
    connection.request('wsFocus', { socket: socketId, focus }).catch(() => {});
  };

  const reader = new FrameReader({
    emit: (name, params, context) => listeners.emit(name, params, context),
    monotonic: () => clock.monotonic(),
    askForSnapshot(id) {
      const { socketId } = connection;
      if (socketId !== null) connection.request('wsFocus', { socket: socketId, snapshots: [id] }).catch(() => {});
    },
    fetchMessage: async (id) => (await call('getMessages', { message_ids: [id] }).catch(() => undefined))?.items[0],
    onOwnMessage: (message) => queue.confirm(message),
    isOwn: (message) => message.sender.username === account?.username,
  });

  const log = new LogFollower({
    clock,
    random,
    async getUpdates(since) {
      try {
        // The socket method of the same name returns the operation's result.
        return (await connection.request('getUpdates', { since, limit: UPDATES_PAGE })) as Result<'getUpdates'>;
      } catch (error) {
        if (error instanceof ConnectionError) connection.lose();
        throw error;
      }
    },
    onFrame: (frame, isReplay) => reader.read(frame, isReplay),
    // Texts that an earlier attempt fetched may be stale: the client followed no events since then.
    onStart: () => reader.forget(),
    onReload(head) {
      reader.forget();
      listeners.emit('reload', { head });
    },
    onGap: () => connection.dispatch('gap'),
    onCaughtUp: () => connection.dispatch('caughtUp'),
    onFailure(error) {
      if (error instanceof ApiError && error.status === 401) connection.refuse('unauthenticated');
      else if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) onError(error);
    },
  });

  listeners.add('accountUpdated', (changed) => {
    if (changed.username === account?.username) account = changed;
  });

  log.position = options.since ?? null;
  const stateCell = new ValueCell<ConnectionState>('closed');
  const address = (): string =>
    `${base.replace(/^http/, 'ws')}/api/ws?token=${encodeURIComponent(token)}&caps=${caps.join(',')}`;
  const connection = new Connection({
    address,
    WebSocket: options.WebSocket ?? systemWebSocket(),
    network,
    clock,
    random,
    onHello({ params, head }: Greeting) {
      account = params;
      if (focus) sendFocus();
      reader.reconnected();
      log.greet(head);
    },
    onTick: (head) => log.tick(head),
    onFrame: (frame: Frame) => log.take(frame),
    onState(state, former) {
      if (state !== 'live' && state !== 'recovering') log.lose();
      stateCell.set(state);
      for (const listener of Array.from(stateListeners))
        try {
          listener(state, former);
        } catch (error) {
          onError(error);
        }
      if (state === 'live') queue.kick();
    },
    // A 401 is handled where API errors are; other errors are expected while offline.
    onNoGreeting: () => void api.getMe().catch(() => {}),
  });

  const scope = scopeOf(`${base} ${options.account ?? options.token}`);
  const queue = new SendQueue({
    storage: new OutboxStorage(options.storage ?? memoryStorage(), scope),
    lockName: `parley:outbox:${scope}`,
    locks,
    clock,
    random,
    send: (params) => call('sendMessage', params),
    closeReason: () => connection.closeReason,
    onSent: (client_msg_id, message) => listeners.emit('sent', { client_msg_id, ...(message && { message }) }),
  });

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
    onState(listener) {
      const own: typeof listener = (state, former) => listener(state, former);
      stateListeners.add(own);
      return () => void stateListeners.delete(own);
    },
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
    setFocus(timeline) {
      focus = timeline && { ...timeline };
      sendFocus();
    },
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
    adopt: (message: Message) => reader.adopt(message),
  };
}
