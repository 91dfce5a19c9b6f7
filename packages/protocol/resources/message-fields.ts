// The Message. Its fields have one declaration, from which its schema, what the service stores of it, and what a deletion,
// a forwarded copy and an export keep of it are derived.
import { z } from 'zod';
import { isoTime, label, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { Part } from '../parts.ts';
import { Account } from './accounts.ts';
import { Decision } from './decisions.ts';
import { Attachment } from './files.ts';
import {
  ComponentAction,
  Forwarded,
  LeftOut,
  LinkPreview,
  MessagePlace,
  messageStatus,
  Poll,
  ReactionCount,
  ServiceNotice,
  TokenUsage,
  Versions,
} from './messages.ts';

/** What becomes of a field. Without a word, neither a deleted message nor a forwarded copy has it. */
interface Handling {
  /** Set when the message is created, and never changed: the placeholder of a reply and a deleted message have it too. */
  isFixed?: true;
  /** What a deleted message has of it: the same, or an empty text or list (DEL-2). */
  onDelete?: 'kept' | 'emptied';
  /**
   * What a forwarded copy has from its original (FORWARD-1). It is the words of another account then, so an export of the
   * sender's data leaves it out (EXPORT-3).
   */
  isCopied?: true;
  /** Changes with an event that only sockets with this cap receive. */
  changesWith?: 'ext';
  /**
   * What senders give under the same name, which the message then has unchanged: a field of sendMessage, scheduleMessage
   * and posts to webhooks, and of a ScheduledMessage. Beside `client_msg_id` a retry must give the same (MSG-4).
   */
  given?: z.ZodType;
  /** The feature level that the field has raised (VERSION-1). */
  since?: number;
}

export interface MessageField extends Handling {
  schema: z.ZodType;
  /** The stored record of the message contains it. Otherwise it is from other columns or rows, or from memory. */
  isStored: boolean;
}

const stored = <Schema extends z.ZodType, const More extends Handling = object>(schema: Schema, more?: More) => ({
  schema,
  isStored: true as const,
  ...(more as More), // undefined adds nothing
});
const rendered = <Schema extends z.ZodType, const More extends Handling = object>(schema: Schema, more?: More) => ({
  schema,
  isStored: false as const,
  ...(more as More), // undefined adds nothing
});

/** Every field of a Message. A new one is optional, since clients of earlier versions do not know it. */
export const messageFields = {
  id: stored(z.uuid(), { isFixed: true }),
  position: rendered(z.int()),
  conversation_id: stored(z.uuid(), { isFixed: true }),
  channel_id: stored(z.uuid().nullable(), { isFixed: true }),
  thread_root_id: stored(z.uuid().nullable(), { isFixed: true }),
  sender: rendered(Account),
  content: stored(z.string().describe('the text, as Markdown; empty if the message was deleted'), {
    onDelete: 'emptied',
    isCopied: true,
  }),
  parts: stored(
    z.array(Part).optional().meta({ description: 'of a reply: what it consists of beside its text, if anything' }),
    { isCopied: true },
  ),
  parts_revision: rendered(
    z.int().optional().meta({
      description:
        'in a snapshot for a socket with `patch`: the revision of its newest part, if above that of the text',
    }),
  ),
  attachments: stored(z.array(Attachment), { onDelete: 'emptied', isCopied: true }),
  reply_to_id: stored(z.uuid().nullable(), { isFixed: true }),
  client_msg_id: stored(z.string().optional(), { isFixed: true, given: optional(label(limits.clientMsgIdBytes)) }),
  service: stored(
    ServiceNotice.optional().describe('of a service notice, which apps show as a line of its own: what happened'),
  ),
  mentions: stored(z.array(z.string()).describe('usernames of the participants that the text mentions'), {
    onDelete: 'emptied',
  }),
  mentioned_groups: stored(
    z
      .array(z.string())
      .optional()
      .describe('names of groups of people, `all` and `here`, that the text mentions; `mentions` has their people'),
    { since: 14 },
  ),
  dispatch: stored(z.array(z.string()).describe('usernames of the agents that the message fires'), {
    onDelete: 'emptied',
  }),
  left_out: stored(
    LeftOut.optional().describe('of a message of an agent: the agents that it would have fired but for a limit'),
    { since: 15 },
  ),
  reactions: rendered(z.array(ReactionCount).describe('one entry for each emoji')),
  poll: rendered(Poll.optional().meta({ description: '`content` has the question and the options as text' }), {
    changesWith: 'ext',
  }),
  decision: rendered(
    Decision.optional().meta({
      description: '`content` has the question and the options, later also the outcome, as text',
    }),
    { changesWith: 'ext', since: 13 },
  ),
  link_preview: stored(
    LinkPreview.nullable().optional().meta({ description: 'of the first link; null if the sender wants none' }),
    { changesWith: 'ext' },
  ),
  thread: rendered(
    z
      .object({
        count: z.int().describe('messages in the thread'),
        last_at: isoTime().describe('when the newest of them was created'),
      })
      .optional()
      .describe('of a message under which there is a thread'),
  ),
  versions: rendered(
    Versions.optional().meta({ description: 'of a reply that was regenerated, while it has several versions' }),
    { changesWith: 'ext' },
  ),
  created_at: stored(isoTime(), { isFixed: true }),
  edited_at: stored(isoTime().optional().describe('when its text was last edited; absent if it never was'), {
    onDelete: 'kept',
  }),
  deleted_at: stored(isoTime().optional().describe('when it was deleted; absent if it was not'), { onDelete: 'kept' }),
  content_revision: stored(z.int(), { onDelete: 'kept' }),
  status: stored(messageStatus, { onDelete: 'kept' }),
  finish_reason: stored(
    z.string().optional().describe("of an agent's reply that has ended: why, such as `stop`, `length` or `no_key`"),
  ),
  waiting_for: stored(
    z
      .uuid()
      .optional()
      .describe(
        'of a reply with the `finish_reason` `waiting`: the first decision that it waits for, before it goes on',
      ),
    { since: 13 },
  ),
  finalized_at: stored(isoTime().optional().describe('when the reply ended; absent while it is streaming'), {
    onDelete: 'kept',
  }),
  usage: stored(
    TokenUsage.optional().meta({ description: 'of a finished reply, if its provider or daemon reported it' }),
    { onDelete: 'kept' },
  ),
  forwarded_from: stored(Forwarded.optional().meta({ description: 'on a copy made by forwardMessages' })),
  component_action: stored(
    ComponentAction.optional().meta({
      description:
        "on an agent's confirmation: the action that it confirms. The text comes from that account, not from the agent.",
    }),
  ),
  reminder_of: stored(
    MessagePlace.extend({
      sender: z.string().optional().describe('username of the account that sent the message'),
    })
      .optional()
      .meta({
        description: 'on a message of the guide: the message that it reminds of, which `content` says in English',
      }),
  ),
  schedule_id: stored(
    z
      .uuid()
      .optional()
      .meta({ description: 'on a message that a schedule of its sender sent: the id of the schedule' }),
    { since: 14 },
  ),
  via: stored(
    z
      .object({ name: z.string().describe('the name of the token') })
      .optional()
      .meta({ description: 'on a message that a program wrote with an access token of the sender' }),
    { since: 16 },
  ),
  resumed: rendered(
    z.boolean().optional().meta({ description: 'startMessageStream only: the stream already existed' }),
  ),
} satisfies Record<string, MessageField>;

type Fields = typeof messageFields;
export type MessageFieldName = keyof Fields;
/** The fields that the stored record of a message contains. */
export type StoredField = {
  [Name in MessageFieldName]: Fields[Name]['isStored'] extends true ? Name : never;
}[MessageFieldName];
/** The fields that senders give under the same name. */
export type GivenField = {
  [Name in MessageFieldName]: Fields[Name] extends { given: z.ZodType } ? Name : never;
}[MessageFieldName];

export const messageFieldNames = Object.keys(messageFields) as MessageFieldName[]; // keys of a constant

/** What is declared of a field, by its name. */
export const messageField = (name: MessageFieldName): MessageField => messageFields[name];

/** The names of the fields of which this holds, in their order. */
export const messageFieldsThat = (holds: (field: MessageField) => boolean): MessageFieldName[] =>
  messageFieldNames.filter((name) => holds(messageFields[name]));

export const givenFieldNames = messageFieldsThat(({ given }) => given !== undefined) as GivenField[]; // only those with `given`

type Declared<Name extends MessageFieldName, Key extends string> = {
  [Field in Name]: Fields[Field] extends Record<Key, infer Schema> ? Schema : never;
};
const declared = <Name extends MessageFieldName, Key extends 'schema' | 'given'>(names: readonly Name[], key: Key) =>
  // Each of these fields has the key, with the schema that its declaration has.
  Object.fromEntries(names.map((name) => [name, messageField(name)[key]])) as Declared<Name, Key>;

export const Message = z.object(declared(messageFieldNames, 'schema'));

/** The given fields as senders give them, and as messages have them. */
export const givenFields = declared(givenFieldNames, 'given');
export const givenFieldsOfMessage = declared(givenFieldNames, 'schema');

export const MessagesPage = z.object({ items: z.array(Message), next_cursor: z.string().optional() });

export type Message = z.output<typeof Message>;
export type MessagesPage = z.output<typeof MessagesPage>;
