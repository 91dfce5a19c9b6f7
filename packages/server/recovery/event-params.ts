import { type Actor } from '@parley/protocol';
import { msSince } from '@parley/protocol/dates';
import { eventKinds, isAccountScope } from '../core/event-kinds.ts';
import { idBytes, idText } from '../core/ids.ts';
import { renderJson } from '../core/json.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { draftRecord } from '../messages/input-drafts.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import { accountJson, actorOf } from '../rendering/accounts.ts';
import { ownChanges, sharedChanges } from '../rendering/conversation-changes.ts';
import { conversationView } from '../rendering/conversation-view.ts';
import { type LiveTexts, messageJson, placeholderOf, plainMessageJson, reopened } from '../rendering/messages.ts';
import { optionsOf } from '../rules/polls.ts';
import { accountByKey, everByName } from '../store/accounts.ts';
import { channelById, ownChatByKey } from '../store/chats.ts';
import { valueOf } from '../store/decisions.ts';
import { draftOf, timelineDraftOf } from '../store/drafts.ts';
import { isWhole, type Light, recordOf, shownByKey, type ShownRow } from '../store/messages.ts';
import { shownVote } from '../store/poll-votes.ts';
import type { Sql } from '../store/sql.ts';
import type { OpenReply } from './open-snapshots.ts';
import type { ReplayRequest, ReplayRooms } from './request.ts';

// The params of an event of the log as they are today (LOG-7).

/** The fast path of most events: renders a message from its row alone, without promises; undefined for other events. */
export function quickParams(
  accounts: AccountTexts,
  classes: number,
  { kind, ref }: StoredEvent,
  messages: ReadonlyMap<number, Light<ShownRow>>,
): string | undefined {
  const { replay, class: eventClass } = eventKinds[kind];
  const row = replay === 'message' && (classes & eventClass) !== 0 && ref !== null ? messages.get(ref) : undefined;
  return row && isWhole(row) ? plainMessageJson(accounts, row)?.text : undefined;
}

/** Reads a large record only when it is rendered: by then the page may be full, or the message deleted. */
async function whole(read: Sql, row: Light<ShownRow>): Promise<ShownRow | undefined> {
  if (isWhole(row)) return row;
  const found = await read.get(shownByKey, row.key);
  return found?.deleted_at === null ? found : undefined;
}

/** The params of an event with today's data; undefined if the account can no longer see it. */
export async function paramsOf(
  rooms: ReplayRooms,
  { accountKey, classes, only }: ReplayRequest,
  event: StoredEvent,
  messages: ReadonlyMap<number, Light<ShownRow>>,
  open: ReadonlyMap<number, OpenReply>,
): Promise<string | undefined> {
  const { read, accounts, clock, texts, streams } = rooms;
  const source = { tx: read, accounts };
  const kind = eventKinds[event.kind];
  const row = event.ref === null ? undefined : messages.get(event.ref);
  const render = async (found: Light<ShownRow>, live: LiveTexts) => {
    const shown = await whole(read, found);
    return shown && (await messageJson(source, shown, live)).text;
  };
  const reply = row && open.get(row.key);
  if (event.kind === 'streamSnapshot') {
    const shown = row && (await whole(read, row));
    if (!shown || !reply) return undefined;
    // A reply that has ended since this replay began was open at this place of the log, and its end is a later frame.
    const open = shown.status === 'streaming' ? shown : reopened(shown);
    return (await messageJson(source, open, { get: () => reply.open })).text;
  }
  if (event.kind === 'draftActivity') {
    // Also of a reply that has ended since this replay began: its end is a later frame.
    return reply && streams.activityOf(row.key, reply.open);
  }
  if ((classes & kind.class) === 0) return undefined;
  switch (kind.replay) {
    case 'message':
      // The reply is being continued: its snapshot covers what it was, and its next end will (CONTINUE-3).
      if (event.kind === 'messageComplete' && row?.status === 'streaming') return undefined;
      return row && render(row, texts);
    case 'stream': {
      // An open stream is covered by its snapshot. A finished one gets its placeholder, which its messageComplete changes.
      const ended = row && !reply && row.status !== 'streaming' ? await whole(read, row) : undefined;
      return ended && render(placeholderOf(ended), { get: () => undefined });
    }
    case 'stream-again':
      // A client that has the reply keeps it until the snapshot or the next messageComplete.
      return undefined;
    case 'vote':
      return event.ref === null ? undefined : voteParams(read, event.ref, accountKey);
    case 'decision':
      return row && decisionParams(read, row);
    case 'message-params':
      return row && event.params !== null ? withReactor(read, event.params) : undefined;
    case 'kept':
      return event.kind === 'typing' ? typingParams(read, event) : (event.params ?? undefined);
    case 'params':
      return event.params ?? undefined;
    case 'chat': {
      const chat = event.ref === null ? undefined : await read.get(ownChatByKey, event.ref, accountKey);
      return chat && renderJson(await conversationView(source, chat, accountKey, clock.now(), texts));
    }
    case 'chat-changes': {
      const chat = event.ref === null ? undefined : await read.get(ownChatByKey, event.ref, accountKey);
      if (!chat) return undefined;
      const isOwn = isAccountScope(event.scope);
      return renderJson(
        isOwn ? await ownChanges(read, chat, accountKey, clock.now()) : await sharedChanges(read, chat),
      );
    }
    case 'account':
      return event.ref === null ? undefined : accountJson(source, event.ref);
    case 'draft':
      return event.ref === null ? undefined : draftParams(read, accountKey, event.ref, event.createdAt);
    case 'timeline-draft':
      return event.ref === null ? undefined : timelineDraftParams(read, accountKey, event.ref);
    case 'never':
      return undefined;
    default:
      // An event about a conversation names it in `ref`: skip the event if the account has left the conversation.
      if (event.ref !== null && !(await read.get(ownChatByKey, event.ref, accountKey))) return undefined;
      // A receiver of chosen events gets each of them, however late (WEBHOOK-23).
      if (only === undefined && msSince(event.createdAt, clock.now()) > kind.replay.withinMs) return undefined;
      return event.params ?? undefined;
  }
}

/** The decision as it is now, of a message that the account can see. */
async function decisionParams(read: Sql, row: Light<ShownRow>): Promise<string | undefined> {
  const decision = await read.get(valueOf, row.key);
  const shown = decision && (await whole(read, row));
  if (!shown) return undefined;
  const { id, conversation_id } = recordOf(shown);
  return `{"conversation_id":"${conversation_id}","message_id":"${id}","decision":${decision.value}}`;
}

/** The reaction with its author's current name, even if the author has left (PEOPLE-3, PEOPLE-9). */
async function withReactor(read: Sql, text: string): Promise<string> {
  // The shape that setMessageReaction emits.
  const params = JSON.parse(text) as { reactor: Actor };
  const account = await read.get(everByName, params.reactor.username);
  return account ? JSON.stringify({ ...params, reactor: actorOf(account) }) : text;
}

/** The end of typing with the account's current name; undefined if the account or the channel was deleted (LOG-13). */
async function typingParams(read: Sql, { ref, params }: StoredEvent): Promise<string | undefined> {
  // As `TypingIndicators` publishes it.
  const told = JSON.parse(params ?? '{}') as { channel_id: string | null };
  const account = ref === null ? undefined : await read.get(accountByKey, ref);
  const channel = told.channel_id === null ? null : await read.get(channelById, idBytes(told.channel_id));
  if (account?.deleted_at !== null || (channel !== null && channel?.deleted_at !== null)) return undefined;
  return JSON.stringify({ ...told, actor: actorOf(account) });
}

/** The account's vote as it is now; undefined if the account can no longer see the poll. */
async function voteParams(read: Sql, messageKey: number, accountKey: number): Promise<string | undefined> {
  const vote = await read.get(shownVote, messageKey, accountKey);
  return vote && JSON.stringify({ message_id: idText(vote.id), options: optionsOf(vote.options) });
}

async function draftParams(
  read: Sql,
  accountKey: number,
  chatKey: number,
  createdAt: number,
): Promise<string | undefined> {
  const chat = await read.get(ownChatByKey, chatKey, accountKey);
  if (!chat) return undefined;
  const draft = await read.get(draftOf, accountKey, chatKey);
  return JSON.stringify({
    conversation_id: idText(chat.id),
    text: draft?.text ?? '',
    reply_to_id: draft?.reply_to_id ?? null,
    updated_at: draft?.updated_at ?? createdAt,
  });
}

/** No event if the draft's row is deleted: the client drops it with its channel, thread or conversation (DRAFT-10). */
async function timelineDraftParams(read: Sql, accountKey: number, key: number): Promise<string | undefined> {
  const draft = await read.get(timelineDraftOf, accountKey, key);
  if (!draft) return undefined;
  const { chat_id: conversation_id, ...content } = draftRecord(draft);
  return JSON.stringify({ conversation_id, ...content });
}
