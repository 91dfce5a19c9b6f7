import { emojiForm } from '../emoji-form.ts';
import { z } from 'zod';
import { onlyOneOf, withoutCombinations } from '../combinations.ts';
import { boundedJson, cursor, isUuid, label, limit, optional, text, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { internalNames, operation } from '../operation.ts';
import {
  Actor,
  Conversation,
  givenFields,
  mediaKind,
  searchedKind,
  Message,
  MessagesPage,
  AttachmentInput,
  PollInput,
  Reaction,
  ServiceNotice,
} from '../resources.ts';

const access = ['not_found', 'forbidden'] as const;
const chat = { chat_id: uuid() };
const timeline = { channel_id: optional(uuid()), thread_root_id: optional(uuid()) };
const messageIds = () => z.array(uuid()).max(limits.messageIds);
const ids = z.object({ ids: z.array(z.uuid()) });
const isTime = (value: string) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
const place = () =>
  z
    .string()
    .refine((value) => isUuid(value) || isTime(value), 'must be a message id or an ISO 8601 time')
    .meta({ pattern: String.raw`^[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$|^\d{4}-\d\d-\d\dT` });
const emoji = () =>
  label(limits.emojiBytes).describe('one emoji, `:name:` of a custom one, or any short text').transform(emojiForm);

/** The fields of a message that a person sends, now or later. */
export const sentFields = {
  ...chat,
  text: text(limits.agentTextBytes).meta({
    description: `the text, as Markdown; at most ${limits.humanTextBytes} bytes from a human`,
  }),
  ...timeline,
  reply_to_message_id: optional(uuid()),
  attachments: optional(z.array(AttachmentInput).max(limits.attachments)),
  ...givenFields,
  clear_draft: optional(z.union([z.boolean(), z.literal('timeline')])).meta({
    description: "true clears the caller's input draft of the chat, `timeline` that of the message's timeline",
  }),
  link_preview: optional(z.boolean()).meta({ description: 'false: no preview of its first link is made' }),
};

export const messageOperations = {
  sendMessage: operation({
    summary: 'Stores a message, sends it to the participants, and fires the agents that should reply.',
    policy: { scope: 'send', rate: 'messages', limitedSessions: true },
    input: withoutCombinations(
      z.object({
        ...sentFields,
        service: optional(boundedJson(ServiceNotice, limits.serviceNoticeBytes)).describe(
          'makes the message a service notice, which apps show as a line of its own',
        ),
        poll: optional(PollInput).describe('makes the message a poll'),
      }),
      {
        when: { text: 'empty', attachments: 'empty', service: 'absent', poll: 'absent' },
        at: 'text',
        message: 'or an attachment, a service notice or a poll is required',
      },
      ...([{ text: 'filled' }, { attachments: 'filled' }, { service: 'given' }] as const).map((beside) => ({
        when: { poll: 'given', ...beside } as const,
        at: 'poll' as const,
        message: 'cannot be combined with text, attachments or a service notice',
      })),
    ),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
    methods: [{ name: 'messages.send', rename: internalNames }],
  }),
  editMessage: operation({
    summary:
      "Changes the text of the caller's own message; its attachments stay. No agent is fired and no push is sent. Setting the same text again changes nothing.",
    policy: { scope: 'send', rate: 'messages', limitedSessions: true },
    input: z.object({
      message_id: uuid(),
      text: text(limits.agentTextBytes).meta({
        description: `the text, as Markdown; at most ${limits.humanTextBytes} bytes from a human`,
      }),
    }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  removeLinkPreview: operation({
    summary: "Removes the preview from the caller's own message; no other one is made.",
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({ message_id: uuid() }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  transcribeMessage: operation({
    summary:
      'Has an agent of the conversation transcribe the voice message in a message, and returns the Message with it. Waits for the model, up to a minute.',
    policy: { scope: 'send', rate: 'models', guests: true },
    input: z.object({ message_id: uuid() }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  forwardMessages: operation({
    summary:
      'Sends copies of messages to another conversation, in their original order, all or none. Messages that the caller cannot see, deleted messages, streaming replies and service notices are skipped.',
    policy: { scope: 'send', rate: 'messages', guests: true },
    input: z.object({
      message_ids: messageIds(),
      to_chat_id: uuid().describe('the conversation that the copies are sent to'),
      ...timeline,
      client_msg_id: givenFields.client_msg_id.meta({
        description: 'each copy gets this id followed by `:` and its index from 0; a retry returns the same copies',
      }),
    }),
    result: z.object({ items: z.array(Message) }),
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  getChatHistory: operation({
    summary:
      'One timeline, oldest to newest: the newest page, the page before `cursor`, or one around or after a message.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: withoutCombinations(
      z.object({
        ...chat,
        ...timeline,
        limit: limit(limits.historyPage, limits.historyPageDefault),
        cursor: cursor(),
        around: optional(place()).describe('a message, or an ISO 8601 time, that the page surrounds'),
        after: optional(uuid()).describe('a message: the page begins after it'),
      }),
      ...onlyOneOf('cursor', 'around', 'after'),
    ),
    result: MessagesPage,
    errors: access,
    methods: [{ name: 'messages.history', rename: internalNames }],
  }),
  getChatMedia: operation({
    summary:
      'The messages of all timelines of a conversation that hold photos and videos, other files, or links: newest first, those before a message, or, oldest first, those after one. `cursor` continues in the same order. A page can hold fewer than `limit` items and still have a `next_cursor`.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: withoutCombinations(
      z.object({
        ...chat,
        kind: mediaKind,
        before: optional(uuid()).describe('a message: only older ones, newest first'),
        after: optional(uuid()).describe('a message: only newer ones, oldest first'),
        limit: limit(limits.listPage, limits.listPageDefault),
        cursor: cursor(),
      }),
      ...onlyOneOf('cursor', 'before', 'after'),
    ),
    result: MessagesPage,
    errors: access,
  }),
  getMessages: operation({
    summary:
      'The requested messages that the caller can see, in the order of the request, up to 1 MiB. If `more` is set, request the remaining ids again.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ message_ids: messageIds() }),
    result: z.object({
      items: z.array(Message),
      more: z.literal(true).optional().describe('the answer is full: request the ids that are missing in it again'),
    }),
    errors: [],
  }),
  getMessageReaders: operation({
    summary:
      "The people who have read one of the caller's own messages, in pages, and how many there are. Only people who share read receipts with the caller, a person who shares them too.",
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({
      message_id: uuid(),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({
      items: z.array(Actor),
      count: z.int().describe('how many there are on all pages'),
      next_cursor: z.string().optional(),
    }),
    errors: access,
  }),
  getUnreadMentions: operation({
    summary:
      'The newest unread messages of a group, at most 100 and oldest first, that mention the caller or reply to one of its messages. A direct chat has none.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ ...chat }),
    result: z.object({
      items: z.array(
        z.object({
          message_id: z.uuid(),
          position: z.int(),
          channel_id: z.uuid().nullable(),
          thread_root_id: z.uuid().nullable(),
        }),
      ),
    }),
    errors: access,
  }),
  searchMessages: operation({
    summary:
      'Messages that the caller can see and whose text, or one of whose files, contains all words of `query`, newest first. A word matches every word that begins with it, unless quoted; `snippet` marks hits with U+E000 and U+E001. A page can hold fewer than `limit` items, even none, and still have a `next_cursor`.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({
      query: label(limits.searchQueryBytes).describe('words of the text; a phrase stands in quotes'),
      chat_id: optional(uuid()),
      sender: optional(username().meta({ description: 'a username' })),
      has: optional(searchedKind.meta({ description: 'only messages that hold this; `file` is any other file' })),
      before: optional(place().meta({ description: 'older than this message, or than this ISO 8601 time' })),
      after: optional(place().meta({ description: 'newer than this message, or since this ISO 8601 time' })),
      limit: limit(limits.searchPage, limits.searchPageDefault),
      cursor: cursor(),
    }),
    result: z.object({
      items: z.array(
        z.object({
          message: Message.describe('a message that was found'),
          snippet: z
            .string()
            .describe('a piece of its text, or of its file, with the hits, each between U+E000 and U+E001'),
          file_id: optional(
            uuid().meta({ description: 'the file that the snippet is from; absent if it is from the message itself' }),
          ),
        }),
      ),
      next_cursor: z.string().optional(),
    }),
    errors: access,
  }),
  deleteMessages: operation({
    summary: 'Deletes messages for everyone; answers the ids of those that were deleted.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({ message_ids: messageIds() }),
    result: ids,
    errors: [],
    methods: [{ name: 'messages.delete' }],
  }),
  deleteMessagesForMe: operation({
    summary: 'Hides messages for the caller only.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({ message_ids: messageIds() }),
    result: ids,
    errors: [],
    methods: [{ name: 'messages.delete_for_me' }],
  }),
  pinMessage: operation({
    summary: 'Pins a message, or moves its pin to the front.',
    policy: { scope: 'send', rate: 'writes', guests: true },
    input: z.object({ ...chat, message_id: uuid() }),
    result: Conversation,
    errors: access,
  }),
  unpinMessage: operation({
    summary: 'Unpins a message, or all of them.',
    policy: { scope: 'send', rate: 'writes', guests: true },
    input: z.object({ ...chat, message_id: optional(uuid()).describe('the message to unpin; absent: all of them') }),
    result: Conversation,
    errors: access,
  }),
  setMessageReaction: operation({
    summary: 'Adds a reaction. The same emoji again, or `remove`, removes it and answers `{ ok: true }` alone.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({
      message_id: uuid(),
      emoji: emoji(),
      remove: optional(z.boolean()).describe('true removes the reaction; false by default'),
      keep: optional(z.boolean()).describe('true: the same emoji again leaves the reaction; false by default'),
    }),
    result: Reaction.optional(),
    errors: access,
    methods: [
      { name: 'reactions.add', fixed: { remove: false, keep: true } },
      { name: 'reactions.remove', fixed: { remove: true } },
    ],
  }),
  sendChatAction: operation({
    summary:
      '`typing` shows the caller as typing for 6 seconds; any other action clears it. `is_typing` can be given instead of `action`.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: withoutCombinations(
      z.object({
        ...chat,
        action: optional(label(limits.nameBytes, 0)).describe('`typing`, or anything else to clear it'),
        is_typing: optional(z.boolean()).describe('true is the action `typing`, false any other'),
        ...timeline,
      }),
      { when: { action: 'absent', is_typing: 'absent' }, at: 'action', message: 'or is_typing is required' },
    ),
    result: null,
    errors: access,
    methods: [{ name: 'typing.set', rename: internalNames }],
  }),
} as const;
