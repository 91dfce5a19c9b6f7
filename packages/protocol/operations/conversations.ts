import { z } from 'zod';
import { onlyOneOf, withoutCombinations } from '../combinations.ts';
import { cursor, label, limit, name, optional, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import {
  Channel,
  chatPosting,
  chatVisibility,
  Conversation,
  Folder,
  FolderRule,
  Participant,
  PublicChat,
  role,
} from '../resources.ts';

const chat = { chat_id: uuid() };
const rename = { conversation_id: 'chat_id' } as const;
const access = ['not_found', 'forbidden'] as const;
const title = () => name(limits.titleBytes).describe('the name that people see');
const usernames = () => z.array(username()).max(limits.usernames);

export const conversationOperations = {
  startChat: operation({
    summary:
      'Finds or creates the direct chat with `username`, or creates a group of `usernames` with a `title`. With `new`, creates another chat with the agent `username`.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: withoutCombinations(
      z.object({
        username: optional(username()).describe('the other account of a direct chat, instead of `usernames`'),
        usernames: optional(usernames()).describe(
          'the members of a new group, besides the caller, instead of `username`',
        ),
        title: optional(title()).describe('the title of the group, which needs one'),
        visibility: optional(chatVisibility).describe('of the group; `private` if it is not given'),
        posting: optional(chatPosting).describe('of the group; `everyone` if it is not given'),
        new: optional(z.boolean()).meta({
          description:
            'creates a chat beside the ones that the caller has with this agent; the newest of these is returned if it has neither a message nor a title',
        }),
      }),
      { when: { username: 'absent', usernames: 'absent' }, at: 'username', message: 'or usernames is required' },
      ...onlyOneOf('username', 'usernames'),
      { when: { usernames: 'given', title: 'absent' }, at: 'title', message: 'is required for a group' },
      { when: { username: 'given', visibility: 'given' }, at: 'visibility', message: 'is of groups only' },
      { when: { username: 'given', posting: 'given' }, at: 'posting', message: 'is of groups only' },
      { when: { usernames: 'given', new: { is: true } }, at: 'new', message: 'cannot be combined with usernames' },
    ),
    result: Conversation,
    errors: access,
    methods: [{ name: 'conversations.create' }],
  }),
  getChats: operation({
    summary: "The caller's conversations, most recent activity first, and the account's `head` of the update log.",
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
      is_pinned: optional(z.literal(true)).meta({ description: 'only conversations that the caller has pinned' }),
    }),
    result: z.object({ items: z.array(Conversation), next_cursor: z.string().optional(), head: z.int() }),
    errors: [],
    methods: [{ name: 'conversations.list' }],
  }),
  searchChats: operation({
    summary:
      "The caller's conversations whose name matches `query`: the title of a group or a separate chat, or the partner's display name or username. Every word of the query begins a word of the name. The best match comes first.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({
      query: label(limits.searchQueryBytes).describe('words, or beginnings of words, of the name'),
      limit: limit(limits.searchPage, limits.searchPageDefault),
    }),
    result: z.object({ items: z.array(Conversation) }),
    errors: [],
  }),
  getChat: operation({
    summary: 'One conversation as the caller sees it.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object(chat),
    result: Conversation,
    errors: access,
    methods: [{ name: 'conversations.get', rename }],
  }),
  setChatNotifications: operation({
    summary:
      'Mutes or unmutes a conversation, or with `channel_id` one of its channels, for the caller; `mute_for` is in seconds.',
    policy: { scope: 'manage', rate: 'writes', limitedSessions: true },
    input: z.object({
      ...chat,
      channel_id: optional(uuid()).describe('only this channel; without it the whole conversation'),
      is_muted: z.boolean().describe('true mutes, false ends that'),
      mute_for: optional(
        z
          .number()
          .int()
          .min(1)
          .max(100 * 365 * 86_400),
      ).describe('seconds after which the mute ends by itself'),
    }),
    result: Conversation,
    errors: access,
  }),
  setChatState: operation({
    summary:
      "Changes what the caller keeps about a conversation: pinned to the top of the caller's list, archived, marked as unread, in a folder. Absent fields stay.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: withoutCombinations(
      z.object({
        ...chat,
        is_pinned: optional(z.boolean()).meta({ description: 'true puts it above the other pinned conversations' }),
        is_archived: optional(z.boolean()).describe('true moves it to the archive, until there is a new message'),
        is_marked_unread: optional(z.boolean()).describe('true shows it as unread, until the caller reads it'),
        folder_id: uuid().nullable().optional().meta({ description: 'null for no folder' }),
      }),
      {
        when: { is_pinned: { is: true }, is_archived: { is: true } },
        at: 'is_archived',
        message: 'cannot be combined with is_pinned',
      },
    ),
    result: Conversation,
    errors: access,
  }),
  orderPinnedChats: operation({
    summary:
      "Orders the caller's pinned conversations: those in `chat_ids` first, in this order, then the others as they were. Conversations that are not pinned are ignored.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({
      chat_ids: z.array(uuid()).max(limits.pinnedChats).describe('ids of the conversations, the first one at the top'),
    }),
    result: null,
    errors: [],
  }),
  getFolders: operation({
    summary: "The caller's folders of conversations, in their order.",
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({}),
    result: z.object({ items: z.array(Folder) }),
    errors: [],
  }),
  setFolders: operation({
    summary:
      "Replaces the list of the caller's folders. Without `id` a folder is created; the conversations of a folder that is left out are in no folder then.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({
      folders: z
        .array(
          z.object({
            id: optional(uuid()).describe('id of a folder that stays; absent for a new one'),
            name: name(limits.folderNameBytes).describe("the folder's name"),
            rule: FolderRule.nullable()
              .optional()
              .describe('which conversations it shows besides the chosen ones; null for none, absent: as it was'),
          }),
        )
        .max(limits.folders)
        .refine((folders) => {
          const ids = folders.flatMap(({ id }) => id ?? []);
          return new Set(ids).size === ids.length;
        }, 'names a folder twice')
        .describe(
          `all folders, in their new order; all rules together, kept ones included, leave out at most ${limits.foldersLeftOut} conversations`,
        ),
    }),
    result: z.object({ items: z.array(Folder) }),
    errors: ['not_found'],
  }),
  clearChat: operation({
    summary: 'Hides all messages that a conversation has now, for the caller only.',
    policy: { scope: 'send', rate: 'writes', guests: true },
    input: z.object(chat),
    result: null,
    errors: access,
  }),
  addMembers: operation({
    summary: 'Adds humans to a group. Owner or admin only.',
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object({ ...chat, usernames: usernames().min(1) }),
    result: null,
    errors: access,
  }),
  removeMember: operation({
    summary: 'Removes a member or an agent from a group. Owner or admin only.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...chat, username: username() }),
    result: null,
    errors: [...access, 'conflict'],
  }),
  leaveChat: operation({
    summary: "Leaves a group together with the caller's agents.",
    policy: { scope: 'manage', rate: 'writes', limitedSessions: true },
    input: z.object(chat),
    result: null,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  setMemberRole: operation({
    summary: "Changes a member's role; setting `owner` transfers ownership.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...chat, username: username(), role }),
    result: null,
    errors: [...access, 'conflict'],
  }),
  setChatTitle: operation({
    summary:
      'Renames a group, for its owner and admins, or a separate chat with an agent. The agent may rename it too, unless the human has done so: 409.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...chat, title: title() }),
    result: null,
    errors: [...access, 'conflict'],
  }),
  deleteChat: operation({
    summary: 'Deletes a separate chat with an agent and its messages, for good. Only its human can call it.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object(chat),
    result: null,
    errors: access,
  }),
  setChatDescription: operation({
    summary: "Sets a group's description; empty text removes it. Owner or admin only.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...chat, description: label(limits.descriptionBytes, 0).describe('what the group is about') }),
    result: null,
    errors: access,
  }),
  setChatVisibility: operation({
    since: 14,
    summary:
      'Lets people find and join a group by themselves (`public`), or not (`private`); those who take part stay. Owner or admin only.',
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({ ...chat, visibility: chatVisibility }),
    result: Conversation,
    errors: access,
  }),
  setChatPosting: operation({
    since: 14,
    summary: 'Sets who writes in a group: everyone, or its owner and admins. Owner or admin only.',
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({ ...chat, posting: chatPosting }),
    result: Conversation,
    errors: access,
  }),
  browseChats: operation({
    since: 14,
    summary:
      'The public groups, the newest group first; with `query` those with a word of title or description that begins with each of its words. Nothing of their messages.',
    policy: { scope: null, rate: 'none' },
    input: z.object({
      query: optional(label(limits.searchQueryBytes, 0)).describe('words, or beginnings of words'),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({ items: z.array(PublicChat), next_cursor: z.string().optional() }),
    errors: ['forbidden'],
  }),
  setDefaultChats: operation({
    since: 14,
    summary:
      'Replaces the list of the public groups that new members of the service are in from the start. Admins of the service only.',
    policy: { scope: null, rate: 'writes', role: 'admin' },
    input: z.object({
      chat_ids: z.array(uuid()).max(limits.defaultChats).describe('ids of public groups; an empty list for none'),
    }),
    result: null,
    errors: access,
  }),
  setChatAvatar: operation({
    summary: "Sets a group's picture, a photo that the caller has uploaded; null removes it. Owner or admin only.",
    policy: { scope: 'manage', rate: 'uploads', guests: true },
    input: z.object({ ...chat, avatar_file_id: uuid().nullable() }),
    result: null,
    errors: access,
  }),
  getMembers: operation({
    summary: 'All participants, in pages.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ ...chat, limit: limit(limits.listPage, limits.listPageDefault), cursor: cursor() }),
    result: z.object({ items: z.array(Participant), next_cursor: z.string().optional() }),
    errors: access,
  }),
  getReadPosition: operation({
    summary: 'How far another person has read a conversation, of those who share read receipts with the caller.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ ...chat }),
    result: z.object({
      position: z.int().meta({ description: 'of the newest message that somebody else has read; 0 for none' }),
    }),
    errors: access,
  }),
  createChannel: operation({
    summary: 'Creates a forum channel in a group. Owner or admin only.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...chat, title: title() }),
    result: Channel,
    errors: access,
  }),
  deleteChannel: operation({
    summary: 'Deletes a channel; its messages disappear from history, search and replay. Owner or admin only.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...chat, channel_id: uuid().describe('id of the channel') }),
    result: null,
    errors: access,
  }),
  markRead: operation({
    summary: "Moves the caller's read marker forward to a message.",
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({ ...chat, message_id: uuid().describe('the newest message that the caller has read') }),
    result: null,
    errors: access,
  }),
} as const;
