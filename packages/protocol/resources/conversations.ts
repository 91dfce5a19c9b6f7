// Conversations, their members and invites.
import { z } from 'zod';
import { isoTime, unixMs } from '../fields.ts';
import { limits } from '../limits.ts';
import { Actor } from './accounts.ts';
import { Message } from './message-fields.ts';

export const role = z
  .enum(['owner', 'admin', 'member'])
  .describe('what the participant may do in the group; every participant of a direct chat is a member');

export const chatVisibility = z
  .enum(['private', 'public'])
  .describe('whether people find the group and join it by themselves (`public`), or only by being added or invited');

export const chatPosting = z
  .enum(['everyone', 'managers'])
  .describe('who writes in the group: everyone who takes part, or its owner and admins only');

export const Participant = z.object({ ...Actor.shape, role });

export const Channel = z.object({
  id: z.uuid(),
  title: z.string().describe("the channel's name, without `#`"),
  unread_count: z.int().describe('messages of others after the read marker, in this channel'),
  is_muted: z.literal(true).optional().describe('the reader has muted this channel'),
  muted_until: isoTime().optional(),
});

export const Conversation = z.object({
  id: z.uuid(),
  kind: z.enum(['direct', 'group']).describe('a chat of two accounts, or a group'),
  is_separate: z.literal(true).optional().meta({
    description: 'one of several direct chats of a human with an agent, which startChat created with `new`',
  }),
  title: z.string().nullable().meta({ description: 'of a group or of a separate chat' }),
  description: z.string().nullable().describe('what the group is about; null if it has none'),
  avatar_url: z.string().nullable().meta({ description: "a group's picture" }),
  visibility: chatVisibility,
  posting: chatPosting,
  participants: z.array(Participant),
  participant_count: z.int(),
  people_count: z.int(),
  channels: z.array(Channel).describe('the channels of a group'),
  pinned_message_ids: z.array(z.uuid()).describe('newest pin first'),
  is_muted: z.boolean(),
  muted_until: isoTime().optional(),
  unread_count: z.int().describe('messages of others after the read marker, in all timelines'),
  unread_mentions: z.int().meta({
    description: 'in a group: the unread messages that mention the reader or reply to one of its messages, at most 100',
  }),
  needs_you: z.int().meta({ description: 'open decisions that the reader may decide, at most 100' }),
  open_decisions: z.array(z.uuid()).meta({ description: 'the messages of these decisions, newest first' }),
  last_read_message_id: z.uuid().nullable(),
  last_read_position: z
    .int()
    .meta({ description: 'the `position` of that message, or 0; messages with a greater position are unread' }),
  pin_order: z.int().optional().meta({ description: 'if the reader has pinned it: the greatest is first in the list' }),
  archived_position: z.int().optional().meta({
    description:
      'if the reader has archived it: it is back in the list once `last_message` has a greater `position` and it is not muted',
  }),
  is_marked_unread: z.literal(true).optional().meta({ description: 'the reader has marked it as unread' }),
  folder_id: z.uuid().optional().meta({ description: 'the folder of the reader that it is in' }),
  cleared_position: z.int().optional().meta({
    description: 'if the reader has cleared it: messages up to this `position` are hidden from the reader',
  }),
  last_message: Message.nullable().describe('the newest message that the caller can see; null if there is none'),
  created_at: isoTime(),
  updated_at: isoTime(),
});

/** Which conversations a folder shows besides the chosen ones: those of any of the kinds, but for the exceptions. */
export const FolderRule = z.object({
  kinds: z
    .array(z.enum(['people', 'agents', 'groups']))
    .min(1)
    .max(3)
    .describe('direct chats with people, direct chats with agents, groups'),
  only_unread: z
    .boolean()
    .optional()
    .describe('only those with unread messages or marked as unread; the chosen ones always'),
  without_muted: z.boolean().optional().describe('no muted ones; the chosen ones always'),
  left_out: z
    .array(z.uuid())
    .max(limits.folderLeftOut)
    .optional()
    .describe('conversations that the folder does not show although their kind is in it'),
});

/** A folder of an account's conversations. */
export const Folder = z.object({
  id: z.uuid(),
  name: z.string().describe("the folder's name"),
  rule: FolderRule.optional().meta({
    description: 'what it shows besides the conversations with its `folder_id`; archived ones never',
  }),
});

/** A public group as browseChats lists it: no word of its messages. */
export const PublicChat = z.object({
  id: z.uuid(),
  title: z.string().describe("the group's name"),
  description: z.string().optional().describe('what the group is about'),
  avatar_url: z.string().optional().meta({ description: "the group's picture, if it has one" }),
  participant_count: z.int().meta({ description: 'people and agents' }),
  last_message_at: isoTime().optional().meta({ description: 'time of the newest message; absent if there is none' }),
  joined: z.boolean().describe('the caller takes part'),
  is_default: z.literal(true).optional().meta({ description: 'new members are in it from the start' }),
});

/** People who are mentioned together, by the name of their group. */
export const UserGroup = z.object({
  name: z.string().describe('what mentions it, after an `@`'),
  title: z.string().describe('the name that people see'),
  usernames: z.array(z.string()).describe('the people in it'),
});

/** A link that lets its holder join a group. */
export const Invite = z.object({
  id: z.uuid(),
  token: z.string().describe('what joinChat takes; a secret of those who may join'),
  url: z.string().meta({ description: 'only a path if the service does not know its own address' }),
  created_by: z.string().meta({ description: 'a username' }),
  created_at: isoTime(),
  expires_at: isoTime().optional(),
  max_uses: z.int().optional().describe('how many accounts can join with it; absent for no limit'),
  uses: z.int().describe('how many accounts have joined with it'),
});

/** What the holder of an invite's token learns of its group before joining. */
export const InvitePreview = z.object({
  title: z.string().meta({ description: "the group's" }),
  avatar_url: z.string().optional().meta({ description: "the group's picture, if it has one" }),
  member_count: z.int().meta({ description: 'people and agents' }),
  invited_by: z.string().optional().meta({ description: 'display name; absent if that account was deleted' }),
});

export const Draft = z.object({
  chat_id: z.uuid(),
  channel_id: z.uuid().optional(),
  thread_root_id: z.uuid().optional(),
  text: z.string().describe('what has been typed and not sent'),
  reply_to_id: z.uuid().nullable(),
  updated_at: unixMs(),
});

export type Role = z.output<typeof role>;
export type Participant = z.output<typeof Participant>;
export type Channel = z.output<typeof Channel>;
export type Conversation = z.output<typeof Conversation>;
export type FolderRule = z.output<typeof FolderRule>;
export type PublicChat = z.output<typeof PublicChat>;
export type UserGroup = z.output<typeof UserGroup>;
export type Folder = z.output<typeof Folder>;
export type Invite = z.output<typeof Invite>;
export type Draft = z.output<typeof Draft>;
