import { z } from 'zod';
import { isoTime, like, unixMs } from './fields.ts';
import { PartChange } from './parts.ts';
import {
  Account,
  Actor,
  AlertCause,
  Channel,
  Conversation,
  Folder,
  Message,
  Participant,
  Presence,
  PollVote,
  Privacy,
  Reaction,
  Versions,
} from './resources.ts';

const id = z.uuid();
const reply = id.describe('id of the reply, a message');

/** Params of every event that a socket can receive, by the name after `events.`. */
export const events = {
  hello: Account,
  tick: z.object({ head: z.int() }),
  messageNew: Message,
  messageDelta: z.object({
    id: reply,
    delta: z.string().describe('text to add to the reply'),
    offset: z.int().describe('the length in bytes of the whole text after `delta`'),
    content_revision: z.int(),
  }),
  messagePart: z.object({
    id: reply,
    part: PartChange.describe('a whole part, or more text of a reasoning part'),
    content_revision: z.int(),
    conversation_id: id.optional().meta({ description: 'with a whole part; absent with text that is added to one' }),
  }),
  messageComplete: Message,
  messageDraftPatch: z.object({
    id: reply,
    base_rev: z.int().describe('the revision of the text that is changed'),
    rev: z.int().describe('the revision of the text after the change'),
    ops: z
      .array(
        z.object({
          at: z.int().describe('index of the first changed line, from 0'),
          del: z.int().describe('how many lines are removed there'),
          ins: z.array(z.string()).describe('the lines that are put there'),
        }),
      )
      .describe('the changes, to be applied from the last to the first'),
  }),
  draftActivity: z.object({
    id: reply,
    conversation_id: id,
    channel_id: id.nullable(),
    thread_root_id: id.nullable(),
    sender: Account,
    created_at: isoTime(),
    content_revision: z.int(),
    preview: z.string().describe('the last 120 characters of the text so far'),
  }),
  typing: z.object({
    conversation_id: id,
    channel_id: id.nullable(),
    thread_root_id: id.nullable(),
    actor: Actor.describe('who has started or stopped to type'),
    is_typing: z.boolean(),
  }),
  reactionAdded: Reaction,
  reactionRemoved: z.object({ message_id: id, reactor: Actor, emoji: z.string() }),
  conversationNew: Conversation,
  messageDeleted: z.object({ conversation_id: id, ids: z.array(id).describe('ids of the deleted messages') }),
  messagePinned: z.object({
    conversation_id: id,
    message_id: id.nullable().describe('null: all pins were removed'),
    pinned: z.boolean().describe('whether it was pinned, or unpinned'),
  }),
  alert: z.object({
    title: z.string().optional().describe('a heading'),
    text: z.string().describe('what to show'),
    cause: AlertCause.optional().meta({
      description: "of the service's own alerts: the same as data, so that apps can word it in their reader's language",
    }),
    level: z.enum(['info', 'success', 'error']).describe('how it should look'),
    from: Actor.optional().describe('who sent it; absent if the service did'),
    message_id: id.optional().describe('On the alert for a failed reply: the id of that reply, whose text says why.'),
    reason: z.string().optional().describe('On the alert for a failed reply: its finish_reason.'),
    details: z
      .string()
      .optional()
      .describe('On the alert for a failed reply: what the provider said, if the receiver owns the key that paid.'),
  }),
  cancelRun: z.object({
    conversation_id: id,
    message_id: id.optional().describe('the reply to stop; absent: all replies in the conversation'),
    from: Actor.describe('who asks for it'),
  }),
  inlineQuery: z.object({
    query_id: id,
    conversation_id: id,
    query: z.string().describe('what has been typed after the name of the bot'),
    from: Actor.describe('who is typing'),
  }),
  draftUpdated: z.object({
    conversation_id: id,
    channel_id: id.optional(),
    thread_root_id: id.optional(),
    text: z.string().describe('what has been typed; empty if the draft was cleared'),
    reply_to_id: id.nullable().optional(),
    updated_at: unixMs(),
    origin: z.string().optional().describe('the `origin` of saveDraft, by which a client recognises its own change'),
  }),
  scheduledChanged: z.object({ conversation_id: id }),
  conversationUpdated: z.object({
    conversation_id: id,
    title: like(Conversation.shape.title, z.string().nullable().optional()),
    description: like(Conversation.shape.description, z.string().nullable().optional()),
    avatar_url: z.string().nullable().optional(),
    participants: z.array(Participant).optional(),
    participant_count: z.int().optional(),
    people_count: z.int().optional(),
    channels: z
      .array(Channel.partial({ unread_count: true }))
      .optional()
      .meta({ description: 'all channels; `unread_count` only if it has changed for the receiving account' }),
    is_muted: z.boolean().optional(),
    muted_until: isoTime().nullable().optional(),
    last_read_message_id: id.nullable().optional(),
    last_read_position: like(Conversation.shape.last_read_position, z.int().optional()),
    unread_count: like(Conversation.shape.unread_count, z.int().optional()),
    unread_mentions: like(Conversation.shape.unread_mentions, z.int().optional()),
    pin_order: like(Conversation.shape.pin_order, z.int().nullable().optional()),
    archived_position: like(Conversation.shape.archived_position, z.int().nullable().optional()),
    is_marked_unread: like(Conversation.shape.is_marked_unread, z.boolean().optional()),
    folder_id: id.nullable().optional(),
    cleared_position: like(Conversation.shape.cleared_position, z.int().nullable().optional()),
  }),
  inboxUpdated: z.object({}),
  presence: Presence,
  conversationRemoved: z.object({ conversation_id: id }),
  messageUpdated: Message,
  pollVoted: PollVote,
  messagesRead: z.object({
    conversation_id: id,
    position: z.int().describe('messages up to this `position` have been read'),
  }),
  versionsChanged: z.object({ conversation_id: id, ...Versions.shape }),
  accountUpdated: Account,
  foldersUpdated: z.object({ folders: z.array(Folder).describe('all of them, in their order') }),
  privacyUpdated: Privacy,
  componentAction: z.object({
    action_id: id.describe('unique to the press: a bot with several connections receives it on each'),
    conversation_id: id,
    channel_id: id.nullable(),
    thread_root_id: id.nullable(),
    message_id: id,
    action: z.string().describe('the token of the button or form'),
    fields: z.record(z.string(), z.unknown()).optional().meta({ description: 'of a form: the values as submitted' }),
    from: Actor.describe('who pressed or submitted'),
  }),
} as const;

export type EventName = keyof typeof events;

/** The events that webhooks can deliver: those of the log that say what happened in conversations and to their account. */
export const webhookEvents = [
  'messageNew',
  'messageComplete',
  'messageUpdated',
  'messageDeleted',
  'messagePinned',
  'reactionAdded',
  'reactionRemoved',
  'pollVoted',
  'versionsChanged',
  'conversationNew',
  'conversationUpdated',
  'conversationRemoved',
  'accountUpdated',
  'inboxUpdated',
  'alert',
] as const satisfies readonly EventName[];
export type EventParams<Name extends EventName> = z.output<(typeof events)[Name]>;

/** A frame of the update log, as sent on sockets and returned by getUpdates. */
export const Frame = z.object({
  method: z.string().describe('the name of the event, with `events.`'),
  params: z.record(z.string(), z.unknown()).describe('the params of the event'),
  seq: z.int().describe('the number of the frame in the update log'),
  prev: z.int().describe('the `seq` of the frame before it that was sent to the account'),
});
export type Frame = z.output<typeof Frame>;
