import { z } from 'zod';
import type { EventDeclaration } from './event.ts';
import { isoTime, like, unixMs } from './fields.ts';
import { PartChange } from './parts.ts';
import {
  Account,
  Actor,
  AlertCause,
  Channel,
  chatPosting,
  chatVisibility,
  Conversation,
  Decision,
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

/**
 * The one declaration of every event that a socket can receive, by the name after `events.`: all other lists and tables
 * are derived from it.
 */
export const eventDeclarations = {
  hello: {
    summary:
      'Sent once when a socket opens: the account, its latest seq as `head`, and the `socket` id. If `head` is greater than the last seq that the client handled, it fetches the gap with `getUpdates`.',
    params: Account,
    outside: 'base',
  },
  tick: {
    summary: 'Sent about every 25 s. A socket without any frame for 75 s is dead.',
    params: z.object({ head: z.int() }),
    outside: 'base',
  },
  messageNew: {
    summary:
      'A message was stored, a reply has started (`status` `streaming`), or this is a snapshot of a streaming reply. Clients insert or replace it by `id`, and match `client_msg_id` to their optimistic copy.',
    params: Message,
    kinds: {
      messageNew: { class: 'base', code: 1, replay: 'message' },
      streamStarted: { class: 'draft', code: 2, replay: 'stream' },
      // A reply that had ended goes on (CONTINUE-3).
      streamContinued: { class: 'draft', code: 43, replay: 'stream-again' },
      streamSnapshot: { class: 'delta', replay: 'never' },
      patchSnapshot: { class: 'patch', replay: 'never' },
    },
    webhook: true,
  },
  messageDelta: {
    summary: 'A piece of a streaming reply. `offset` is the length in bytes of the whole text including this piece.',
    params: z.object({
      id: reply,
      delta: z.string().describe('text to add to the reply'),
      offset: z.int().describe('the length in bytes of the whole text after `delta`'),
      content_revision: z.int(),
    }),
    kinds: { messageDelta: { class: 'delta', replay: 'never' } },
  },
  messagePart: {
    summary:
      'A part of a streaming reply: a new one, a changed one, or (`append`) more text of a reasoning part that the client has, which then has `text_offset` bytes. Clients insert or replace it by `part.id`, and fetch the message if an `append` does not continue their text.',
    params: z.object({
      id: reply,
      part: PartChange.describe('a whole part, or more text of a reasoning part'),
      content_revision: z.int(),
      conversation_id: id.optional().meta({ description: 'with a whole part; absent with text that is added to one' }),
    }),
    kinds: { messagePart: { class: 'part', replay: 'never' } },
  },
  messageComplete: {
    summary: 'A reply has ended: the final Message, with `finalized_at`.',
    params: Message,
    kinds: { messageComplete: { class: 'base', code: 3, replay: 'message' } },
    webhook: true,
  },
  messageDraftPatch: {
    summary:
      'Changed lines of a streaming reply. Split the copy at revision `base_rev` at newlines, then apply the ops from last to first: at line index `at`, replace `del` lines with `ins`.',
    params: z.object({
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
    kinds: { draftPatch: { class: 'patch', replay: 'never' } },
  },
  draftActivity: {
    summary: 'A reply is streaming in a timeline that is not in focus.',
    params: z.object({
      id: reply,
      conversation_id: id,
      channel_id: id.nullable(),
      thread_root_id: id.nullable(),
      sender: Account,
      created_at: isoTime(),
      content_revision: z.int(),
      preview: z.string().describe('the last 120 characters of the text so far'),
    }),
    kinds: { draftActivity: { class: 'activity', replay: 'never' } },
  },
  typing: {
    summary:
      'A person or an agent started or stopped typing; not sent to themselves. If both ids are null, the timeline is #all.',
    params: z.object({
      conversation_id: id,
      channel_id: id.nullable(),
      thread_root_id: id.nullable(),
      actor: Actor.describe('who has started or stopped to type'),
      is_typing: z.boolean(),
    }),
    kinds: {
      // Not stored: a replay takes the ends of typing from memory.
      typing: { class: 'typing', replay: 'kept' },
    },
  },
  reactionAdded: {
    summary: 'An account reacted to a message.',
    params: Reaction,
    kinds: { reactionAdded: { class: 'base', code: 4, replay: 'message-params' } },
    webhook: true,
  },
  reactionRemoved: {
    summary: 'An account removed its reaction.',
    params: z.object({ message_id: id, reactor: Actor, emoji: z.string() }),
    kinds: { reactionRemoved: { class: 'base', code: 5, replay: 'message-params' } },
    webhook: true,
  },
  conversationNew: {
    summary:
      'The account started a conversation: sent to its other sockets, not to the one that made the call. With the cap `ext` also: it was added to one.',
    params: Conversation,
    kinds: {
      conversationNew: { class: 'base', code: 6, replay: 'chat', skipsCaller: true },
      // A new member's sockets with the cap `ext` receive this event before any message of the conversation.
      conversationAdded: { class: 'ext', code: 15, replay: 'chat', of: 'for newly added participants' },
    },
    webhook: true,
  },
  messageDeleted: {
    summary: 'Messages were deleted for everyone: clients remove these ids.',
    params: z.object({ conversation_id: id, ids: z.array(id).describe('ids of the deleted messages') }),
    kinds: { messageDeleted: { class: 'base', code: 7, replay: 'params' } },
    webhook: true,
  },
  messagePinned: {
    summary: 'A message was pinned or unpinned. `message_id` null: all pins were removed.',
    params: z.object({
      conversation_id: id,
      message_id: id.nullable().describe('null: all pins were removed'),
      pinned: z.boolean().describe('whether it was pinned, or unpinned'),
    }),
    kinds: { messagePinned: { class: 'base', code: 8, replay: 'params' } },
    webhook: true,
  },
  alert: {
    summary: 'A short notice to display, from `pushAlert` or from the service itself.',
    params: z.object({
      title: z.string().optional().describe('a heading'),
      text: z.string().describe('what to show'),
      cause: AlertCause.optional().meta({
        description:
          "of the service's own alerts: the same as data, so that apps can word it in their reader's language",
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
    kinds: { alert: { class: 'base', code: 9, replay: { withinMs: 60_000 } } },
    webhook: true,
  },
  cancelRun: {
    summary: 'To a bot: stop the reply `message_id`, or, without it, every reply in the conversation.',
    params: z.object({
      conversation_id: id,
      message_id: id.optional().describe('the reply to stop; absent: all replies in the conversation'),
      from: Actor.describe('who asks for it'),
    }),
    kinds: { cancelRun: { class: 'base', code: 10, replay: { withinMs: 60_000 } } },
  },
  inlineQuery: {
    summary: 'To a bot: answer with suggestions within three seconds, using `answerInlineQuery`.',
    params: z.object({
      query_id: id,
      conversation_id: id,
      query: z.string().describe('what has been typed after the name of the bot'),
      from: Actor.describe('who is typing'),
    }),
    kinds: {
      // Not stored: a replay takes the queries that still wait for an answer from memory.
      inlineQuery: { class: 'base', replay: { withinMs: 3_000 } },
    },
  },
  draftUpdated: {
    summary:
      "The account's input draft of a conversation was saved or cleared. Sent to its own sockets, for a channel or thread only with the cap `ext`; the newest `updated_at` wins.",
    params: z.object({
      conversation_id: id,
      channel_id: id.optional(),
      thread_root_id: id.optional(),
      text: z.string().describe('what has been typed; empty if the draft was cleared'),
      reply_to_id: id.nullable().optional(),
      updated_at: unixMs(),
      origin: z.string().optional().describe('the `origin` of saveDraft, by which a client recognises its own change'),
    }),
    kinds: {
      draftUpdated: { class: 'base', code: 12, replay: 'draft' },
      // The draft of a channel or thread: clients that know only drafts of conversations must not take it for one.
      timelineDraftUpdated: { class: 'ext', code: 41, replay: 'timeline-draft', of: 'of channels and threads' },
    },
  },
  scheduledChanged: {
    summary:
      "The account's scheduled messages, schedules or reminders in a conversation have changed: fetch them again. Sent to its own sockets.",
    params: z.object({ conversation_id: id }),
    kinds: { scheduledChanged: { class: 'ext', code: 38, replay: 'params' } },
  },
  conversationUpdated: {
    summary:
      'The title, description, picture, visibility, posting, participants or channels have changed, or, for this account only, its mute, read marker, counts, or what setChatState and clearChat set. Contains only the fields that changed.',
    params: z.object({
      conversation_id: id,
      title: like(Conversation.shape.title, z.string().nullable().optional()),
      description: like(Conversation.shape.description, z.string().nullable().optional()),
      avatar_url: z.string().nullable().optional(),
      visibility: chatVisibility.optional(),
      posting: chatPosting.optional(),
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
      needs_you: like(Conversation.shape.needs_you, z.int().optional()),
      open_decisions: like(Conversation.shape.open_decisions, z.array(id).optional()),
      pin_order: like(Conversation.shape.pin_order, z.int().nullable().optional()),
      archived_position: like(Conversation.shape.archived_position, z.int().nullable().optional()),
      is_marked_unread: like(Conversation.shape.is_marked_unread, z.boolean().optional()),
      folder_id: id.nullable().optional(),
      cleared_position: like(Conversation.shape.cleared_position, z.int().nullable().optional()),
    }),
    kinds: { conversationUpdated: { class: 'ext', code: 13, replay: 'chat-changes' } },
    webhook: true,
  },
  inboxUpdated: {
    summary: "The account's inbox has a new item, or items were marked as done. Clients call `getInbox`.",
    params: z.object({}),
    kinds: { inboxUpdated: { class: 'ext', code: 34, replay: 'params' } },
    webhook: true,
  },
  presence: {
    summary:
      'An account that the socket asked about with `getPresence` came online, went offline or changed its status. Not in the log: `seq` equals `prev`.',
    params: Presence,
    outside: 'ext',
  },
  conversationRemoved: {
    summary: 'The account was removed from a conversation, or left it.',
    params: z.object({ conversation_id: id }),
    kinds: { conversationRemoved: { class: 'ext', code: 14, replay: 'params' } },
    webhook: true,
  },
  messageUpdated: {
    summary:
      'A message was edited, the results of its poll have changed, the preview of its link was added or removed, its decision has ended, or its voice message was transcribed: the current Message.',
    params: Message,
    kinds: { messageUpdated: { class: 'ext', code: 16, replay: 'message' } },
    webhook: true,
  },
  pollVoted: {
    summary: "The account's own vote in a poll has changed. Sent to its own sockets.",
    params: PollVote,
    kinds: { pollVoted: { class: 'ext', code: 36, replay: 'vote' } },
    webhook: true,
  },
  decisionUpdated: {
    since: 13,
    summary:
      'A decision was decided, has expired or was taken back. Clients set `decision` of the message; the `events.messageUpdated` before it has the new text. If the reader may decide it, its conversation needs the reader no more for it.',
    params: z.object({
      conversation_id: id,
      message_id: id,
      decision: Decision.describe('the decision with its outcome'),
    }),
    kinds: { decisionUpdated: { class: 'ext', code: 44, replay: 'decision' } },
    webhook: true,
  },
  messagesRead: {
    summary:
      "Another person has read the conversation's messages up to `position`. Not replayed: a client that was away calls `getReadPosition` for what it shows.",
    params: z.object({
      conversation_id: id,
      position: z.int().describe('messages up to this `position` have been read'),
    }),
    kinds: { messagesRead: { class: 'signal', replay: 'never' } },
  },
  versionsChanged: {
    summary:
      'A reply was regenerated, another version of it was chosen, or one was deleted. Clients set `versions` of the messages `ids` that they have; a single id has no versions any more.',
    params: z.object({ conversation_id: id, ...Versions.shape }),
    kinds: {
      // In a deleted channel it names ids, as messageDeleted does.
      versionsChanged: { class: 'ext', code: 18, replay: 'params' },
    },
    webhook: true,
  },
  accountUpdated: {
    summary: 'An account that shares a conversation with the receiver has changed its profile.',
    params: Account,
    kinds: { accountUpdated: { class: 'ext', code: 17, replay: 'account' } },
    webhook: true,
  },
  foldersUpdated: {
    summary:
      "The account's folders, in their order. The conversations of a folder that is no longer listed are in no folder.",
    params: z.object({ folders: z.array(Folder).describe('all of them, in their order') }),
    kinds: { foldersUpdated: { class: 'ext', code: 20, replay: 'params' } },
  },
  notesChanged: {
    summary:
      'What an agent remembers has changed: in a group, sent to those who take part there, or in the direct chats with it, sent to the own sockets of the account. getNotes has it.',
    params: z.object({
      agent_username: z.string().describe('the agent'),
      conversation_id: id.optional().meta({ description: 'the group; absent for the direct chats' }),
    }),
    kinds: { notesChanged: { class: 'ext', code: 46, replay: 'params' } },
  },
  agentSourcesChanged: {
    summary:
      "The library of an agent of the account has changed, or a source of it was read. Sent to the account's own sockets. getAgentSources has it.",
    params: z.object({ agent_username: z.string().describe('the agent') }),
    kinds: { agentSourcesChanged: { class: 'ext', code: 47, replay: 'params' } },
  },
  privacyUpdated: {
    summary: 'The account changed what getPrivacy answers. Sent to its own sockets.',
    params: Privacy,
    kinds: { privacyUpdated: { class: 'ext', code: 19, replay: 'params' } },
  },
  componentAction: {
    summary:
      'To a bot with `handles_actions`: a person has pressed a button of its message, or submitted a form. `action_id` is unique: a bot with several connections receives the press on each.',
    params: z.object({
      action_id: id.describe('unique to the press: a bot with several connections receives it on each'),
      conversation_id: id,
      channel_id: id.nullable(),
      thread_root_id: id.nullable(),
      message_id: id,
      action: z.string().describe('the token of the button or form'),
      fields: z.record(z.string(), z.unknown()).optional().meta({ description: 'of a form: the values as submitted' }),
      from: Actor.describe('who pressed or submitted'),
    }),
    kinds: { componentAction: { class: 'ext', code: 42, replay: { withinMs: 60_000 } } },
  },
} as const satisfies Record<string, EventDeclaration>;

type Declarations = typeof eventDeclarations;
export type EventName = keyof Declarations;
export type EventParams<Name extends EventName> = z.output<Declarations[Name]['params']>;

export const eventNames = Object.keys(eventDeclarations) as EventName[]; // keys of a constant: complete

/** The schema of the params of every event. */
export const events = Object.fromEntries(eventNames.map((name) => [name, eventDeclarations[name].params])) as {
  readonly [Name in EventName]: Declarations[Name]['params']; // what each name was mapped to
};

type WebhookEventName = { [Name in EventName]: Declarations[Name] extends { webhook: true } ? Name : never }[EventName];
/** The events that webhooks can deliver, in the order of the declarations, which /openapi.json shows. */
export const webhookEvents = eventNames.filter(
  (name): name is WebhookEventName => 'webhook' in eventDeclarations[name],
);

/** A frame of the update log, as sent on sockets and returned by getUpdates. */
export const Frame = z.object({
  method: z.string().describe('the name of the event, with `events.`'),
  params: z.record(z.string(), z.unknown()).describe('the params of the event'),
  seq: z.int().describe('the number of the frame in the update log'),
  prev: z.int().describe('the `seq` of the frame before it that was sent to the account'),
});
export type Frame = z.output<typeof Frame>;
