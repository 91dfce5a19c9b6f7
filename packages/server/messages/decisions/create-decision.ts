import type { Deciders, Decision, DecisionKind, DecisionOption, FieldSpec, Message } from '@parley/protocol';
import type { Caller } from '../../access/call.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { idText } from '../../core/ids.ts';
import type { RawJson } from '../../core/json.ts';
import { queuePush } from '../../push/queue-push.ts';
import { messageJson } from '../../rendering/messages.ts';
import { decisionText } from '../../rules/decisions.ts';
import type { AccountRow } from '../../store/accounts.ts';
import { channelByKey, type ChatRow } from '../../store/chats.ts';
import { insertDecision, insertPerson } from '../../store/decisions.ts';
import { mark, messageIdByKey, type MessageRecord, type MessageRow } from '../../store/messages.ts';
import { growStored } from '../../store/stored-bytes.ts';
import { addToInboxes } from '../inbox-items.ts';
import { insertMessage } from '../insert-message.ts';
import { type Mentioned, mentionsIn } from '../mentions-in.ts';
import { emitAbout } from '../message-scopes.ts';
import { noteMentions, peopleMentioned } from '../note-mentions.ts';
import type { Timeline } from '../timeline.ts';

/** An account that may decide. */
export type Decider = Pick<AccountRow, 'key' | 'username'>;

/** A decision to be asked. The caller has checked that it may be. */
export interface NewDecision {
  chat: Pick<ChatRow, 'key' | 'id' | 'kind' | 'may_push'>;
  timeline: Timeline;
  /** Who asks: a person, a bot, or the agent of a turn. */
  sender: Caller;
  kind: DecisionKind;
  /** The question, without options and fields. */
  text: string;
  options: readonly DecisionOption[];
  form?: readonly FieldSpec[] | undefined;
  deciders: 'anyone' | 'admins' | readonly Decider[];
  /** Only with a list of deciders. */
  isPrivate?: boolean | undefined;
  /** Milliseconds since the epoch. */
  expiresAt?: number | undefined;
  quoted?: Pick<MessageRow, 'id' | 'sender_key'> | undefined;
  clientMsgId?: string | undefined;
  /** Of the payload, if there is a `clientMsgId` (MSG-4). */
  digest?: Uint8Array | null;
  /** Of a decision that a turn waits for: the turn, and the call of a tool. */
  turnKey?: number | undefined;
  callKey?: number | undefined;
  /** Further fields of `decision`, as everybody may see them. */
  shown?: Readonly<Record<string, unknown>> | undefined;
  /** Called with the size of the record and the decision before anything is written; throws if the record does not fit. */
  assertFits?: ((bytes: number) => void) | undefined;
}

export interface MadeDecision {
  messageKey: number;
  /** Also the id of the message. */
  decisionId: string;
  message: RawJson<Message>;
}

/** Stores and sends the message of a decision (DECIDE-1). It fires no agent. */
export async function createDecision(call: UnitCall, made: NewDecision): Promise<MadeDecision> {
  const { tx, now } = call;
  const { chat, timeline, sender, kind, isPrivate = false, quoted } = made;
  const id = call.newId();
  const decision = fieldOf(made, idText(id));
  const value = JSON.stringify(decision);
  const content = decisionText(made.text, decision);
  const readers = isPrivate ? new Set([sender, ...listed(made)].map(({ key }) => key)) : undefined;
  const named = await mentionsFor(call, made, content);
  const { mentions } = named;
  const record: MessageRecord = {
    id: idText(id),
    conversation_id: idText(chat.id),
    ...(await placeOf(call, timeline)),
    content,
    attachments: [],
    reply_to_id: quoted ? idText(quoted.id) : null,
    client_msg_id: made.clientMsgId,
    ...named,
    dispatch: [],
    created_at: new Date(now).toISOString(),
    content_revision: 1,
    status: 'complete',
  };
  // Models receive neither private decisions nor those that turns wait for (DECIDE-12).
  const isUnheard = isPrivate || kind !== 'question' || made.turnKey !== undefined;
  const row = await insertMessage({ tx, now, caller: sender }, record, {
    id,
    chat_key: chat.key,
    channel_key: timeline.channelKey,
    thread_key: timeline.threadKey,
    marks: mark.decision | (isPrivate ? mark.private : 0) | (isUnheard ? mark.unheard : 0),
    clientMsgId: made.clientMsgId ?? null,
    digest: made.digest ?? null,
    assertFits: (bytes) => made.assertFits?.(bytes + Buffer.byteLength(value)),
  });
  await store(call, made, { messageKey: row.key, value });
  const message = await messageJson(call, row);
  await emitAbout(call, row, { kind: 'messageNew', params: message, ref: row.key });
  const mentioned = await peopleMentioned(call, chat, { mentions, senderKey: made.sender.key });
  const quotes = quoted && (readers?.has(quoted.sender_key) ?? true) ? quoted : undefined;
  // News in a thread is for all who follow it, who may not learn of a private message.
  const place = isPrivate ? { ...row, thread_key: 0 } : row;
  await addToInboxes(call, chat, place, { mentioned, quotedKey: quotes?.sender_key });
  await noteMentions(call, chat, row, { mentioned, quoted: quotes });
  await queuePush(call, chat, row);
  return { messageKey: row.key, decisionId: idText(id), message };
}

const listed = ({ deciders }: Pick<NewDecision, 'deciders'>): readonly Decider[] =>
  typeof deciders === 'string' ? [] : deciders;

/** The field `decision` of the Message. */
function fieldOf(made: NewDecision, id: string): Decision {
  const { kind, options, form, deciders, isPrivate, expiresAt, shown } = made;
  const named: Deciders = typeof deciders === 'string' ? deciders : deciders.map(({ username }) => username);
  return {
    id,
    kind,
    state: 'open',
    options: [...options],
    ...(form && { form: [...form] }),
    deciders: named,
    ...(isPrivate && { private: true }),
    ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
    ...shown,
  };
}

/** Whom the text mentions; of a private decision only those for whom it exists. */
async function mentionsFor({ tx }: UnitCall, made: NewDecision, text: string): Promise<Mentioned> {
  // What the service asks quotes servers of tools, which mention nobody (WAIT-11).
  if (made.turnKey !== undefined) return { mentions: [] };
  const named = await mentionsIn(tx, { chat: made.chat, senderKey: made.sender.key, text }, undefined);
  if (!made.isPrivate) return named;
  return { mentions: named.mentions.filter((name) => listed(made).some(({ username }) => username === name)) };
}

/** The timeline, as records name it. */
async function placeOf({ tx }: UnitCall, { channelKey, threadKey }: Timeline) {
  const channel = channelKey === 0 ? undefined : await tx.get(channelByKey, channelKey);
  const root = threadKey === 0 ? undefined : await tx.get(messageIdByKey, threadKey);
  return { channel_id: channel ? idText(channel.id) : null, thread_root_id: root ? idText(root.id) : null };
}

async function store(
  { tx }: UnitCall,
  made: NewDecision,
  { messageKey, value }: { messageKey: number; value: string },
): Promise<void> {
  const { chat, sender, kind, deciders, isPrivate = false, expiresAt, turnKey, callKey } = made;
  await tx.run(
    insertDecision,
    messageKey,
    chat.key,
    sender.key,
    kind,
    typeof deciders === 'string' ? deciders : 'listed',
    isPrivate ? 1 : 0,
    expiresAt ?? null,
    turnKey ?? null,
    callKey ?? null,
    value,
  );
  await tx.run(growStored, sender.ownerKey, Buffer.byteLength(value));
  for (const { key } of listed(made)) await tx.run(insertPerson, messageKey, key, 1);
  if (isPrivate) await tx.run(insertPerson, messageKey, sender.key, 0);
}
