import type { Account, CapName, Message, OperationName, Params, Result } from '@parley/protocol';
import type { Api, CallOptions } from './api.ts';
import type { Cell } from './cell.ts';
import type { CloseReason } from './connection.ts';
import type { ConnectionState } from './connection-states.ts';
import type { Clock, KeyValueStorage, LockManager, Network, WebSocketClass } from './environment.ts';
import type { ClientEventName, ClientListener } from './event-names.ts';
import type { LogConsumer } from './log-follower.ts';
import type { Outbox, OutboxEntry, SendParams } from './outbox.ts';

export interface ClientOptions {
  /** The service's address, e.g. `https://chat.example`. */
  url: string;
  /** The token of a session (`s_`), of a bot (`mb_`), or for development (`dev:`). */
  token: string;
  /** The caps of the socket; by default `['ext', 'patch']`. With `focus`, call `setFocus`. */
  caps?: readonly CapName[];
  /** Whether the client connects as soon as it is created; by default true. If false, it is closed until `connect`. */
  autoConnect?: boolean;
  /**
   * The `position` of an earlier client, to follow the log from there. By default it starts at the first connection.
   */
  since?: number;
  /** The `account` of an earlier client, until the service sends it. */
  self?: Account | undefined;
  /** Keeps messages that are not sent yet; by default in memory. `localStorage` can be passed as it is. */
  storage?: KeyValueStorage;
  /** The username that owns the stored messages. Without it, only a client with the same token finds them. */
  account?: string;
  fetch?: typeof fetch;
  WebSocket?: WebSocketClass;
  /** Whether the device is online; in a browser by default `navigator.onLine` and its events. */
  network?: Network;
  /** Keeps two tabs that share a storage from sending the same message; in a browser by default `navigator.locks`. */
  locks?: LockManager;
  clock?: Clock;
  /** Returns a number from 0 up to, not including, 1. */
  random?: () => number;
  /** Called with errors thrown by listeners; by default they are rethrown in a separate task. */
  onError?: (error: unknown) => void;
}

/** Identifies a timeline: that of a conversation, of a channel, or of a thread. */
export interface TimelineKey {
  chat_id: string;
  channel_id?: string | null | undefined;
  thread_root_id?: string | null | undefined;
}

// Operations without required fields can be called without arguments.
type Arguments<Name extends OperationName> =
  Record<never, never> extends Params<Name>
    ? [params?: Params<Name>, options?: CallOptions]
    : [params: Params<Name>, options?: CallOptions];

/** A connection to the service that reconnects by itself and delivers every event in order. */
export interface Client {
  readonly url: string;
  /** The token in use. */
  readonly token: string;
  readonly caps: readonly CapName[];
  /** Every operation, over HTTP. */
  readonly api: Api;
  readonly state: ConnectionState;
  /** The state as a cell. */
  readonly stateCell: Cell<ConnectionState>;
  /** Calls the listener on each change of the state; the returned function unsubscribes. */
  onState(listener: (state: ConnectionState, former: ConnectionState) => void): () => void;
  /** Why the client is closed; null while it is open. */
  readonly closeReason: CloseReason | null;
  /** The account of the token, once the service has sent it. */
  readonly account: Account | null;
  /** The `seq` up to which all events were delivered; null until the client has a starting point. */
  readonly position: number | null;
  /** Delivers events in the order of the log, each once; the returned function unsubscribes. */
  on<Name extends ClientEventName>(name: Name, listener: ClientListener<Name>): () => void;
  /** Calls an operation, over the socket while it is live, otherwise over HTTP. Throws ApiError or ConnectionError. */
  call<Name extends OperationName>(name: Name, ...args: Arguments<Name>): Promise<Result<Name>>;
  /** Sets the timeline in focus: with the cap `focus`, only replies in it stream their text. Survives reconnects. */
  setFocus(timeline: TimelineKey | null): void;
  /**
   * Sends a message exactly once, across broken connections and, if `storage` persists, reloads. Throws if the client
   * is closed.
   */
  send(params: SendParams): OutboxEntry;
  readonly outbox: Outbox;
  /** Connects immediately if the client is waiting to retry. */
  reconnect(): void;
  /**
   * Opens a closed client: events since its `position` are delivered as after a lost connection, and what waits in the
   * outbox is sent. Without effect on an open client. Throws where there is no WebSocket.
   */
  connect(): void;
  /**
   * Uses another token of the same account from now on, before the former one expires or after the service has refused
   * it: a new socket takes the place of the current one, and what was missed is delivered as after a lost connection.
   * A client that the app has closed stays closed.
   */
  renew(token: string): void;
  /** Closes the client until `connect`. Unsent messages stay in the outbox, and in the storage. */
  close(): void;
  /**
   * Attaches a store to the log: it loads all its data, receives every later event, and loads again if too many events
   * were missed. The returned function detaches it.
   */
  attach(consumer: LogConsumer): () => void;
  /** For a store: merges a fetched Message with what the client has received of it. */
  adopt(message: Message): Message;
}
