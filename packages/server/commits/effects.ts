import type { Actor } from '@parley/protocol';
import type { EventKindName, Scope, TimelineId } from '../core/event-kinds.ts';
import type { Renderable } from '../core/json.ts';
import type { Closed } from '../store/shown-pushes.ts';
import type { TurnQueueKey, TurnRow, Payer } from '../store/turns.ts';

/** A durable event as a handler emits it. `params` are JSON values; `ref` the row that replays rebuild it from. */
export interface Emitted {
  scope: Scope;
  kind: EventKindName;
  params: Renderable<unknown>;
  ref?: number;
  /** Of a draft: where it is written. */
  timeline?: TimelineId;
}

/** What the main thread knows of an open stream. Revisions up to `revisionReserved` may be given out. */
export interface OpenStream {
  messageKey: number;
  messageId: string;
  chatKey: number;
  agentKey: number;
  /** How the agent appears to others, and from its next change on. */
  agent: Actor;
  runner: 'server' | 'daemon';
  turnKey: number | null;
  text: string;
  revision: number;
  revisionReserved: number;
  channelId: string | null;
  threadRootId: string | null;
  chatId: string;
  cancelRequested: boolean;
  /** The stream was there before this process: its first frame is a snapshot. */
  resumed: boolean;
}

/** Why no provider is asked: the agent's month, the asker's day or the owner's storage is used up, or no key may be used. */
export type Refused = 'token_cap' | 'asker_token_cap' | 'own_key_needed' | 'storage_full';

/** Whose key a turn runs with, or why it may not run. */
export interface Claim {
  payer: Payer | null;
  refused: Refused | null;
}

export interface Claimed extends Claim {
  messageKey: number;
}

/** What was closed of a conversation on some devices of an account; others have yet to be told. */
export interface SeenTo {
  chatKey: number;
  closed: Closed;
  tokenKeys: readonly number[];
  otherKeys: readonly number[];
}

/** Plain data that a unit leaves: what the main thread does once the unit is committed, in this order (STORE-4). */
export type Intent =
  | { type: 'join'; chatKey: number; accountKey: number }
  | { type: 'leave'; chatKey: number; accountKey: number }
  | { type: 'closeSessions'; sessionKeys: readonly number[] }
  | { type: 'closeAccount'; accountKey: number }
  | { type: 'accountChanged'; accountKey: number; actor: Actor }
  | { type: 'runTurns'; queues: readonly TurnQueueKey[] }
  | { type: 'runClaimed'; turn: TurnRow; claimed: Claimed }
  | { type: 'cancelTurns'; turnKeys: readonly number[] }
  | { type: 'openStream'; stream: OpenStream }
  | { type: 'cancelStreams'; messageKeys: readonly number[] }
  | { type: 'endStreams'; messageKeys: readonly number[] }
  | { type: 'dropStreams'; messageKeys: readonly number[] }
  | { type: 'clearTyping'; chatKey: number; accountKey: number }
  | { type: 'removeFiles' }
  | { type: 'textChanged'; messageKey: number }
  | { type: 'push'; messageKey: number; chatKey: number; senderKey: number }
  | { type: 'takeBack'; accountKeys: readonly number[]; seenTo?: SeenTo };

/** A committed event with its place in the log; `params` is JSON text. */
export interface LoggedEvent {
  type: 'event';
  seq: number;
  scope: Scope;
  kind: EventKindName;
  ref: number | null;
  timeline: TimelineId | null;
  params: string;
  /** Id of a socket that does not get it. */
  exceptSocket?: string | undefined;
}

export type Effect = LoggedEvent | Intent;
