// The SDK: a typed client of the operations, and a connection that delivers every event in order. It runs in browsers
// and in Node and loads no other package: from the index of the protocol it imports only types.
export { type Api, ApiError, type ApiOptions, type CallOptions, createApi } from './api.ts';
export type { Cell } from './cell.ts';
export type { Client, ClientOptions, TimelineKey } from './client.ts';
export type { CloseReason } from './connection.ts';
export type { ConnectionState } from './connection-states.ts';
export { createClient } from './create-client.ts';
export type {
  Clock,
  KeyValueStorage,
  LockManager,
  Network,
  Timer,
  WebSocketClass,
  WebSocketLike,
} from './environment.ts';
export type { ClientEventName, ClientEvents, ClientListener, EventContext } from './event-names.ts';
export type { LogConsumer } from './log-follower.ts';
export type { Change, ChangeEntry, ChangeName, Outbox, OutboxEntry, SendParams } from './outbox.ts';
export { ConnectionError } from './requests.ts';
