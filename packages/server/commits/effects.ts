import type { AccountRole, Actor, Part } from '@parley/protocol';
import type { EventKindName, Scope, TimelineId } from '../core/event-kinds.ts';
import type { Renderable } from '../core/json.ts';
import type { Closed } from '../store/shown-pushes.ts';
import type { Payer } from '../rules/who-pays.ts';
import type { TurnQueueKey, TurnRow } from '../store/turns.ts';

/** A durable event as a handler emits it. `params` are JSON values; `ref` is the row from which replays rebuild it. */
export interface Emitted {
  scope: Scope;
  kind: EventKindName;
  params: Renderable<unknown>;
  ref?: number;
  /** For an event of an open reply: its timeline. */
  timeline?: TimelineId;
}

/** An open reply in the memory of the main thread. It may use revisions up to `revisionReserved`. */
export interface OpenStream {
  messageKey: number;
  messageId: string;
  chatKey: number;
  agentKey: number;
  /** The agent as others see it; updated when its profile changes. */
  agent: Actor;
  runner: 'server' | 'daemon';
  turnKey: number | null;
  text: string;
  parts: readonly Part[];
  revision: number;
  revisionReserved: number;
  channelId: string | null;
  threadRootId: string | null;
  chatId: string;
  cancelRequested: boolean;
  /** Whether another process opened the stream: then its first frame is a snapshot. */
  resumed: boolean;
}

/** Why no provider is called: a budget of tokens is used up, no key may be used, or storage is full. */
export type Refused =
  | 'token_cap'
  | 'group_token_cap'
  | 'asker_token_cap'
  | 'house_token_cap'
  | 'own_key_needed'
  | 'house_is_off'
  | 'storage_full';

/** The owner of the key that a turn runs with, or the reason why the turn may not run. */
export interface Claim {
  payer: Payer | null;
  refused: Refused | null;
}

export interface Claimed extends Claim {
  messageKey: number;
}

/** The request for a title of a separate chat, with the beginning of question and reply (TITLE-2). */
export interface TitleRequest {
  chatKey: number;
  chatId: string;
  agentKey: number;
  messageKey: number;
  turnKey: number;
  humanKey: number;
  payer: Payer;
  question: string;
  reply: string;
}

/** The request for the preview of the first link in a message (LINK-1). */
export interface PreviewRequest {
  messageKey: number;
  chatId: string;
  /** The sender's username. */
  sender: string;
  ownerKey: number;
  url: string;
  /** The revision of the text in which the link stands: a later text has its own request. */
  revision: number;
}

/**
 * Notifications of a conversation that a person has closed on the devices `tokenKeys`; those on `otherKeys` are taken
 * back.
 */
export interface SeenTo {
  chatKey: number;
  closed: Closed;
  tokenKeys: readonly number[];
  otherKeys: readonly number[];
}

/** Plain data that a unit leaves: the main thread applies intents in order, after the unit's commit (STORE-4). */
export type Intent =
  | { type: 'join'; chatKey: number; accountKey: number }
  | { type: 'leave'; chatKey: number; accountKey: number }
  | { type: 'closeTokens'; tokenKeys: readonly number[] }
  | { type: 'closeSessions'; sessionKeys: readonly number[] }
  | { type: 'closeAccount'; accountKey: number }
  | { type: 'accountChanged'; accountKey: number; actor: Actor }
  | { type: 'roleChanged'; accountKey: number; role: AccountRole }
  | { type: 'statusChanged'; accountKey: number }
  | { type: 'runTurns'; queues: readonly TurnQueueKey[] }
  /** A transcript of an agent of the owner has ended, for which turns may have been waiting (BUDGET-7). */
  | { type: 'roomForTurns'; ownerKey: number }
  | { type: 'runClaimed'; turn: TurnRow; claimed: Claimed }
  | { type: 'makeTitle'; request: TitleRequest }
  | { type: 'previewLink'; request: PreviewRequest }
  | { type: 'cancelTurns'; turnKeys: readonly number[] }
  | { type: 'openStream'; stream: OpenStream }
  | { type: 'cancelStreams'; messageKeys: readonly number[] }
  | { type: 'endStreams'; messageKeys: readonly number[] }
  | { type: 'dropStreams'; messageKeys: readonly number[] }
  | { type: 'clearTyping'; chatKey: number; accountKey: number }
  | { type: 'receiptMoved'; chatKey: number }
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
  /** Id of a socket that does not receive the event. */
  exceptSocket?: string | undefined;
}

export type Effect = LoggedEvent | Intent;
