import type { Account, CapName, Message, OperationName, Params, Result } from '@parley/protocol';
import type { Api, CallOptions } from './api.ts';
import type { Cell } from './cell.ts';
import type { CloseReason } from './connection.ts';
import type { ConnectionState } from './connection-states.ts';
import type { Clock, KeyValueStorage, LockManager, Network, WebSocketClass } from './environment.ts';
import type { ClientEventName, ClientListener } from './event-names.ts';
import type { Mirror } from './log-follower.ts';
import type { Outbox, OutboxEntry, SendParams } from './outbox.ts';

export interface ClientOptions {
  /** The service's address, e.g. `https://chat.example`. */
  url: string;
  /** Of a session (`s_`), a bot (`mb_`), or development (`dev:`). */
  token: string;
  /** What the socket asks for; by default `['ext', 'patch']`. With `focus`, call `setFocus`. */
  caps?: readonly CapName[];
  /** Where to follow the log from: a `position` of before. Without it from the first connection on. */
  since?: number;
  /** Where messages that are not sent yet are kept; by default in memory. `localStorage` fits as it is. */
  storage?: KeyValueStorage;
  /** Whose storage it is: the username. Without it, what one token has left is found by that token alone. */
  account?: string;
  fetch?: typeof fetch;
  WebSocket?: WebSocketClass;
  /** Whether there is a network; in a browser that of `navigator.onLine` and its events. */
  network?: Network;
  /** Keeps two tabs with one storage from sending one message both; in a browser `navigator.locks`. */
  locks?: LockManager;
  clock?: Clock;
  /** At least 0, below 1. */
  random?: () => number;
  /** Given what a listener has thrown; by default it is thrown again, outside of everything. */
  onError?: (error: unknown) => void;
}

/** A timeline: a conversation's own, a channel's, or a thread's. */
export interface TimelineKey {
  chat_id: string;
  channel_id?: string | null | undefined;
  thread_root_id?: string | null | undefined;
}

// An operation without a required field may be called without anything.
type Arguments<Name extends OperationName> =
  Record<never, never> extends Params<Name>
    ? [params?: Params<Name>, options?: CallOptions]
    : [params: Params<Name>, options?: CallOptions];

/** A connection to the service that keeps itself alive, and tells everything that happens, in order. */
export interface Client {
  readonly url: string;
  readonly caps: readonly CapName[];
  /** Every operation over HTTP. */
  readonly api: Api;
  readonly state: ConnectionState;
  /** The same to subscribe to. */
  readonly stateCell: Cell<ConnectionState>;
  /** Told of each change of the state; the answer ends it. */
  onState(listener: (state: ConnectionState, former: ConnectionState) => void): () => void;
  /** Why it is closed; null while it is not. */
  readonly closeReason: CloseReason | null;
  /** Whose token it is, once the service has told. */
  readonly account: Account | null;
  /** `seq` up to which everything was told; null before there is anything to begin from. */
  readonly position: number | null;
  /** In the order of the log, each once; the answer ends it. */
  on<Name extends ClientEventName>(name: Name, listener: ClientListener<Name>): () => void;
  /** An operation, over the socket while it is live, else over HTTP. Throws ApiError or ConnectionError. */
  call<Name extends OperationName>(name: Name, ...args: Arguments<Name>): Promise<Result<Name>>;
  /** Where one looks: with the cap `focus` only replies there come with their text. Told again after a reconnect. */
  setFocus(timeline: TimelineKey | null): void;
  /** Sends once, however often the network breaks, and after a reload where `storage` stays. Throws on a closed client. */
  send(params: SendParams): OutboxEntry;
  readonly outbox: Outbox;
  /** Tries to connect now, where it waits to. */
  reconnect(): void;
  /** Ends it for good. What the outbox holds stays in the storage. */
  close(): void;
  /** For a store: from a load of its own it hears of everything; asked to load anew where too much was missed. */
  attach(mirror: Mirror): () => void;
  /** For a store: a Message that it has fetched, as the client follows it. */
  adopt(message: Message): Message;
}
