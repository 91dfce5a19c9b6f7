import { z } from 'zod';
import { boundedJson, cursor, isUuid, label, limit, optional, text, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { internalNames, operation } from '../operation.ts';
import { Conversation, Message, MessagesPage, AttachmentInput, Reaction, ServiceNotice } from '../resources.ts';

const access = ['not_found', 'forbidden'] as const;
const chat = { chat_id: uuid() };
const timeline = { channel_id: optional(uuid()), thread_root_id: optional(uuid()) };
const messageIds = () => z.array(uuid()).max(limits.messageIds);
const ids = z.object({ ids: z.array(z.uuid()) });
const isTime = (value: string) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
const place = () => z.string().refine((value) => isUuid(value) || isTime(value), 'is no message id and no time');
const emoji = () => label(limits.emojiBytes);

export const messageOperations = {
  sendMessage: operation({
    summary: 'Stores a message, tells the participants, fires the agents that are due to reply.',
    input: z
      .object({
        ...chat,
        text: text(limits.agentTextBytes).meta({ description: `at most ${limits.humanTextBytes} bytes from a human` }),
        ...timeline,
        reply_to_message_id: optional(uuid()),
        attachments: optional(z.array(AttachmentInput).max(limits.attachments)),
        client_msg_id: optional(label(limits.clientMsgIdBytes)),
        service: optional(boundedJson(ServiceNotice, limits.serviceNoticeBytes)),
        clear_draft: optional(z.boolean()),
      })
      .refine((input) => input.text !== '' || input.attachments?.length || input.service, {
        path: ['text'],
        message: 'or an attachment or a service notice is needed',
      }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
    methods: [{ name: 'messages.send', rename: internalNames }],
  }),
  editMessage: operation({
    summary:
      'Gives a message of the caller another text; its attachments stay. Nobody is fired and nothing is pushed. The same text again changes nothing.',
    input: z.object({
      message_id: uuid(),
      text: text(limits.agentTextBytes).meta({ description: `at most ${limits.humanTextBytes} bytes from a human` }),
    }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  forwardMessages: operation({
    summary:
      'Sends copies of messages into another conversation, in the order in which they were said, all or none. Those that the caller cannot see, that are deleted, still being written, or service notices, are left out.',
    input: z.object({
      message_ids: messageIds(),
      to_chat_id: uuid(),
      ...timeline,
      client_msg_id: optional(label(limits.clientMsgIdBytes)).meta({
        description: 'the copies have this, `:` and their number from 0 on; a repeat returns them',
      }),
    }),
    result: z.object({ items: z.array(Message) }),
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  getChatHistory: operation({
    summary: 'One timeline, oldest to newest: the newest page before `cursor`, or around or after a place.',
    input: z
      .object({
        ...chat,
        ...timeline,
        limit: limit(limits.historyPage, limits.historyPageDefault),
        cursor: cursor(),
        around: optional(place()),
        after: optional(uuid()),
      })
      .superRefine((input, context) => {
        const given = (['cursor', 'around', 'after'] as const).filter((name) => input[name] !== undefined);
        if (given.length > 1)
          context.addIssue({ code: 'custom', path: [given[1] ?? ''], message: `goes without ${given[0]}` });
      }),
    result: MessagesPage,
    errors: access,
    methods: [{ name: 'messages.history', rename: internalNames }],
  }),
  getMessages: operation({
    summary:
      'Those of the messages that the caller may see, in the order of the request, up to 1 MiB; `more`: ask again for the ids behind the last one shown.',
    input: z.object({ message_ids: messageIds() }),
    result: z.object({ items: z.array(Message), more: z.literal(true).optional() }),
    errors: [],
  }),
  searchMessages: operation({
    summary:
      'Messages that the caller may see and whose text has all words of `query`, newest first. Outside quotes a word is met by each one that begins with it; hits in `snippet` stand between U+E000 and U+E001. A page may have fewer than `limit`, even none, and a `next_cursor`.',
    input: z.object({
      query: label(limits.searchQueryBytes),
      chat_id: optional(uuid()),
      sender: optional(username().meta({ description: 'a username' })),
      before: optional(place().meta({ description: 'older than this message, or than this ISO 8601 time' })),
      after: optional(place().meta({ description: 'newer than this message, or since this ISO 8601 time' })),
      limit: limit(limits.searchPage, limits.searchPageDefault),
      cursor: cursor(),
    }),
    result: z.object({
      items: z.array(z.object({ message: Message, snippet: z.string() })),
      next_cursor: z.string().optional(),
    }),
    errors: access,
  }),
  deleteMessages: operation({
    summary: 'Deletes messages for everyone; answers the ids that were affected.',
    input: z.object({ message_ids: messageIds() }),
    result: ids,
    errors: [],
    methods: [{ name: 'messages.delete' }],
  }),
  deleteMessagesForMe: operation({
    summary: 'Hides messages for the caller alone.',
    input: z.object({ message_ids: messageIds() }),
    result: ids,
    errors: [],
    methods: [{ name: 'messages.delete_for_me' }],
  }),
  pinMessage: operation({
    summary: 'Pins a message, or moves its pin to the front.',
    input: z.object({ ...chat, message_id: uuid() }),
    result: Conversation,
    errors: access,
  }),
  unpinMessage: operation({
    summary: 'Unpins a message, or all of them.',
    input: z.object({ ...chat, message_id: optional(uuid()) }),
    result: Conversation,
    errors: access,
  }),
  setMessageReaction: operation({
    summary: 'Adds a reaction; the same emoji again, or `remove`, takes it away (then `{ ok: true }` alone).',
    input: z.object({ message_id: uuid(), emoji: emoji(), remove: optional(z.boolean()), keep: optional(z.boolean()) }),
    result: Reaction.optional(),
    errors: access,
    methods: [
      { name: 'reactions.add', fixed: { remove: false, keep: true } },
      { name: 'reactions.remove', fixed: { remove: true } },
    ],
  }),
  sendChatAction: operation({
    summary:
      'The action `typing` shows the caller as typing for 6 seconds; any other action clears it. `is_typing` may be given in place of `action`.',
    input: z
      .object({
        ...chat,
        action: optional(label(limits.nameBytes, 0)),
        is_typing: optional(z.boolean()),
        ...timeline,
      })
      .refine(({ action, is_typing }) => action !== undefined || is_typing !== undefined, {
        path: ['action'],
        message: 'or is_typing is needed',
      }),
    result: null,
    errors: access,
    methods: [{ name: 'typing.set', rename: internalNames }],
  }),
} as const;
