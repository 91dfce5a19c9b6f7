import { z } from 'zod';
import { isoTime, unixMs } from './fields.ts';
import { PartChange } from './parts.ts';
import {
  Account,
  Actor,
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

/** Params of every event that a socket can receive, by the name after `events.`. */
export const events = {
  hello: Account,
  tick: z.object({ head: z.int() }),
  messageNew: Message,
  messageDelta: z.object({ id, delta: z.string(), offset: z.int(), content_revision: z.int() }),
  messagePart: z.object({
    id,
    part: PartChange,
    content_revision: z.int(),
    conversation_id: id.optional().meta({ description: 'with a whole part; absent with text that is added to one' }),
  }),
  messageComplete: Message,
  messageDraftPatch: z.object({
    id,
    base_rev: z.int(),
    rev: z.int(),
    ops: z.array(z.object({ at: z.int(), del: z.int(), ins: z.array(z.string()) })),
  }),
  draftActivity: z.object({
    id,
    conversation_id: id,
    channel_id: id.nullable(),
    thread_root_id: id.nullable(),
    sender: Account,
    created_at: isoTime(),
    content_revision: z.int(),
    preview: z.string(),
  }),
  typing: z.object({
    conversation_id: id,
    channel_id: id.nullable(),
    thread_root_id: id.nullable(),
    actor: Actor,
    is_typing: z.boolean(),
  }),
  reactionAdded: Reaction,
  reactionRemoved: z.object({ message_id: id, reactor: Actor, emoji: z.string() }),
  conversationNew: Conversation,
  messageDeleted: z.object({ conversation_id: id, ids: z.array(id) }),
  messagePinned: z.object({ conversation_id: id, message_id: id.nullable(), pinned: z.boolean() }),
  alert: z.object({
    title: z.string().optional(),
    text: z.string(),
    level: z.enum(['info', 'success', 'error']),
    from: Actor.optional(),
    message_id: id.optional().describe('On the alert for a failed reply: the id of that reply, whose text says why.'),
    reason: z.string().optional().describe('On the alert for a failed reply: its finish_reason.'),
    details: z
      .string()
      .optional()
      .describe('On the alert for a failed reply: what the provider said, if the receiver owns the key that paid.'),
  }),
  cancelRun: z.object({ conversation_id: id, message_id: id.optional(), from: Actor }),
  inlineQuery: z.object({ query_id: id, conversation_id: id, query: z.string(), from: Actor }),
  draftUpdated: z.object({
    conversation_id: id,
    channel_id: id.optional(),
    thread_root_id: id.optional(),
    text: z.string(),
    reply_to_id: id.nullable().optional(),
    updated_at: unixMs(),
    origin: z.string().optional(),
  }),
  scheduledChanged: z.object({ conversation_id: id }),
  conversationUpdated: z.object({
    conversation_id: id,
    title: z.string().nullable().optional(),
    description: z.string().nullable().optional(),
    avatar_url: z.string().nullable().optional(),
    participants: z.array(Participant).optional(),
    participant_count: z.int().optional(),
    channels: z
      .array(Channel.partial({ unread_count: true }))
      .optional()
      .meta({ description: 'all channels; `unread_count` only if it has changed for the receiving account' }),
    is_muted: z.boolean().optional(),
    muted_until: isoTime().nullable().optional(),
    last_read_message_id: id.nullable().optional(),
    last_read_position: z.int().optional(),
    unread_count: z.int().optional(),
    unread_mentions: z.int().optional(),
    pin_order: z.int().nullable().optional(),
    archived_position: z.int().nullable().optional(),
    is_marked_unread: z.boolean().optional(),
    folder_id: id.nullable().optional(),
    cleared_position: z.int().nullable().optional(),
  }),
  inboxUpdated: z.object({}),
  presence: Presence,
  conversationRemoved: z.object({ conversation_id: id }),
  messageUpdated: Message,
  pollVoted: PollVote,
  messagesRead: z.object({ conversation_id: id, position: z.int() }),
  versionsChanged: z.object({ conversation_id: id, ...Versions.shape }),
  accountUpdated: Account,
  foldersUpdated: z.object({ folders: z.array(Folder) }),
  privacyUpdated: Privacy,
  componentAction: z.object({
    action_id: id,
    conversation_id: id,
    channel_id: id.nullable(),
    thread_root_id: id.nullable(),
    message_id: id,
    action: z.string(),
    fields: z.record(z.string(), z.unknown()).optional().meta({ description: 'of a form: the values as submitted' }),
    from: Actor,
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
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
  seq: z.int(),
  prev: z.int(),
});
export type Frame = z.output<typeof Frame>;
