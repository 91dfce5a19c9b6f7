import type { Actor } from '@parley/protocol';
import type { SharedEvent } from '../log/batch-payload.ts';
import type { Intent, OpenStream } from '../commits/effects.ts';
import type { ChatTitles } from '../agents/chat-titles.ts';
import { revoked } from '../replies/end-of-reply.ts';
import type { Turns } from '../agents/turn-runner.ts';
import type { InlineQueries } from '../agents/inline-queries.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { ReplyReplicas } from '../replies/reply-replicas.ts';
import type { ReplyEnds } from '../replies/reply-ends.ts';
import { type TypingIndicators, typingPlaceOf } from '../agents/typing.ts';
import type { Authenticator } from '../calls/authenticate.ts';
import type { Files } from '../files/files.ts';
import type { ReadReceipts } from '../conversations/read-receipts.ts';
import type { Hub } from '../log/hub.ts';
import type { LinkPreviews } from '../previews/link-previews.ts';
import type { PushDelivery } from '../push/delivery.ts';
import type { PresenceWatch } from '../sockets/presence-watch.ts';
import type { Sockets } from '../sockets/sockets.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import type { Logger } from 'pino';

/** The main thread's memory that committed intents change. */
export interface Memory {
  readonly logger: Logger;
  readonly accounts: AccountTexts;
  readonly hub: Hub;
  readonly replicas: ReplyReplicas;
  readonly streams: LiveStreams;
  readonly replyEnds: ReplyEnds;
  readonly inlineQueries: InlineQueries;
  readonly authenticator: Authenticator;
  readonly presence: PresenceWatch;
  readonly sockets: Sockets;
  readonly turns: Turns;
  readonly titles: ChatTitles;
  readonly previews: LinkPreviews;
  readonly typing: TypingIndicators;
  readonly receipts: ReadReceipts;
  readonly files: Files;
  readonly push: PushDelivery;
}

/**
 * Applies an intent of a committed unit: the only place where a commit changes memory (STORE-4). `isOwn`: of a unit of
 * this node.
 */
export function applyIntent(memory: Memory, intent: Intent, isOwn = true): void {
  const { hub, replicas, streams, authenticator, sockets, turns, typing } = memory;
  switch (intent.type) {
    case 'join':
      return hub.apply(intent);
    case 'leave':
      typing.clearChat(intent.accountKey, intent.chatKey);
      return hub.apply(intent);
    case 'closeSessions':
      authenticator.noteChange();
      return sockets.closeSessions(new Set(intent.sessionKeys));
    case 'closeTokens':
      authenticator.noteChange();
      return sockets.closeTokens(new Set(intent.tokenKeys));
    case 'closeAccount':
      authenticator.noteChange();
      typing.clearAccount(intent.accountKey);
      return sockets.closeAccount(intent.accountKey);
    case 'accountChanged':
      return renameAccount(memory, intent.accountKey, intent.actor);
    case 'roleChanged':
      authenticator.noteChange();
      return sockets.setRole(intent.accountKey, intent.role);
    case 'statusChanged':
      return memory.presence.statusChanged(intent.accountKey);
    case 'runTurns':
      return turns.wake(intent.queues);
    case 'roomForTurns':
      return turns.roomFor(intent.ownerKey);
    case 'runClaimed':
      return turns.adopt(intent.turn, intent.claimed);
    case 'makeTitle':
      return memory.titles.make(intent.request);
    case 'previewLink':
      return memory.previews.make(intent.request);
    case 'cancelTurns':
      return turns.cancel(intent.turnKeys);
    case 'openStream':
      replicas.drop(intent.stream.messageKey);
      streams.open(intent.stream);
      // After a restart, a daemon's stream is still shown as typing; a turn that is repeated must be shown again.
      if (!intent.stream.resumed || intent.stream.runner === 'server') showTyping(memory, intent.stream, true);
      return undefined;
    case 'cancelStreams':
      for (const key of intent.messageKeys) streams.get(key)?.requestCancel();
      return undefined;
    case 'endStreams':
      for (const key of intent.messageKeys) endStream(memory, key);
      return undefined;
    case 'dropStreams':
      for (const key of intent.messageKeys) {
        turns.abandon(key);
        const replica = replicas.drop(key);
        const stream = streams.drop(key);
        // The reply of a dead node, which this one has ended.
        if (replica && isOwn) showTyping(memory, replica.info, false);
        if (!stream) continue;
        showTyping(memory, stream.info, false);
        // The message was deleted, so no final event reports its usage.
        if (stream.state === 'deleted') memory.replyEnds.bookUsage(stream, true, stream.estimatedTokens);
      }
      return undefined;
    case 'clearTyping':
      return typing.clearChat(intent.accountKey, intent.chatKey);
    case 'receiptMoved':
      return memory.receipts.moved(intent.chatKey);
    case 'removeFiles':
      return memory.files.sweep();
    case 'textChanged':
      return memory.push.forgetText(intent.messageKey);
    case 'push':
      return memory.push.take(intent);
    case 'takeBack':
      return memory.push.takeBack(intent);
    default:
      return intent satisfies never;
  }
}

/**
 * Updates replicas, inline queries and typing before another node's event is published here; returns false if the event
 * must not be published.
 */
export function heardElsewhere({ replicas, inlineQueries, typing }: Memory, event: SharedEvent, node: number): boolean {
  if (event.kind === 'inlineQuery') inlineQueries.heard(event, node);
  if (event.kind === 'typing') typing.heard(event, node);
  return event.draft === undefined || replicas.heard(event, node);
}

/** Applies an intent of another node's unit. Open replies stay on that node; this one creates replicas. */
export function applyShared(memory: Memory, intent: Intent, node: number): void {
  if (intent.type === 'openStream') memory.replicas.open(intent.stream, node);
  // The other node sends the take-backs, but only this node knows of pushes that it has just sent.
  else if (intent.type === 'takeBack') memory.push.seenElsewhere(intent);
  else applyIntent(memory, intent, false);
}

/** Replaces an account's former name in memory (PEOPLE-3). */
function renameAccount(memory: Memory, accountKey: number, actor: Actor): void {
  const { accounts, authenticator, sockets, streams, typing } = memory;
  accounts.forget(accountKey);
  authenticator.noteChange();
  sockets.rename(accountKey, actor.display_name);
  typing.rename(accountKey, actor);
  streams.rename(accountKey, actor);
}

/** Ends a daemon's stream after its bot or channel was removed; housekeeping retries if the end cannot be stored. */
function endStream(memory: Memory, messageKey: number): void {
  const stream = memory.streams.get(messageKey);
  if (!stream) return;
  stream.apply('revoke');
  memory.replyEnds
    .close(stream, revoked)
    .catch((error: unknown) => memory.logger.error({ err: error }, 'failed to end a stream'));
}

/** An agent is typing from the start of its reply to its end (TYPING-4). */
function showTyping({ typing }: Memory, stream: OpenStream, isTyping: boolean): void {
  typing.announce(typingPlaceOf(stream), isTyping);
}
