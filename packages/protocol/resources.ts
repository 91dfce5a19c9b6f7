import { z } from 'zod';
import { errorCodes } from './errors.ts';
import { base64, boundedJson, isoTime, label, line, name, optional, unixMs, uuid } from './fields.ts';
import { limits } from './limits.ts';
import { Part } from './parts.ts';

export const accountKind = z.enum(['human', 'agent']);

export const Account = z.object({
  username: z.string(),
  kind: accountKind,
  display_name: z.string(),
  parent_username: z.string().optional(),
  agent_provider: z.string().optional(),
  avatar_url: z.string().optional(),
  bio: z.string().optional(),
  is_deleted: z.literal(true).optional().meta({ description: 'the account was deleted; its messages stay' }),
  created_at: isoTime(),
});

/** An account as it appears in events and lists. */
export const Actor = z.object({ username: z.string(), kind: accountKind, display_name: z.string() });

export const Session = z.object({
  id: z.string(),
  is_current: z.boolean(),
  device_name: z.string().optional(),
  platform: z.string().optional(),
  app_version: z.string().optional(),
  created_at: isoTime(),
  last_active_at: isoTime(),
});

export const Device = z.object({
  name: optional(label(limits.nameBytes, 0)),
  platform: optional(label(limits.nameBytes, 0)),
  app_version: optional(label(limits.nameBytes, 0)),
});

const size = () => optional(z.number().int().min(0));
const attachmentKind = z.enum(['news', 'ticker', 'positions', 'photo', 'file']);
const attachmentFields = {
  id: optional(uuid()).meta({ description: 'id of a file uploaded with `uploadFile`' }),
  url: optional(label(4096, 0)),
  thumbnail_url: optional(label(4096, 0)),
  name: optional(label(1024, 0)),
  mime_type: optional(label(256, 0)),
  size: size(),
  width: size(),
  height: size(),
  title: optional(label(1024, 0)),
  data: z.unknown().optional(),
  duration_ms: optional(z.number().int().min(0).max(limits.soundMs)).meta({ description: 'of a recorded sound' }),
  waveform: optional(base64(limits.waveformBytes)).meta({
    description: 'of a recorded sound: a byte for the loudness of each of its equal pieces, as base64',
  }),
};
/** What a list of getChatMedia contains: photos and videos, other files, or links. */
export const mediaKind = z.enum(['media', 'files', 'links']);

/** What the messages hold that a search is limited to. */
export const searchedKind = z.enum(['image', 'video', 'audio', 'file', 'link']);
/** Fields with other names are kept as sent. */
export const Attachment = z.looseObject({
  kind: attachmentKind,
  ...attachmentFields,
  transcript: z.string().optional().meta({
    description: 'of a voice message: what a model heard in it; empty if that were no words',
  }),
});

/**
 * With `id`, the service's record of the file overrides all fields named here; without it `thumbnail_url` is ignored.
 */
export const AttachmentInput = boundedJson(
  z.looseObject({ kind: optional(attachmentKind), ...attachmentFields }),
  limits.attachmentBytes,
).refine(({ id, kind }) => id !== undefined || kind !== undefined, {
  path: ['kind'],
  message: 'or the id of a file is required',
});

/** A file stored by the service: an Attachment with an `id`. */
export const UploadedFile = z.object({
  id: z.uuid(),
  kind: z.enum(['photo', 'file']),
  name: z.string(),
  mime_type: z.string().meta({ description: 'detected from the content' }),
  size: z.int(),
  width: z.int().optional().meta({ description: 'of a photo, with its orientation applied' }),
  height: z.int().optional(),
  url: z.string(),
  thumbnail_url: z.string().optional().meta({ description: 'a WebP image of at most 512 pixels' }),
});

/** Any object: the service sets `actor`, and interprets the other fields named here if it recognizes them. */
export const ServiceNotice = z.looseObject({
  kind: z.unknown().optional().meta({ description: 'what happened, e.g. `call_started`' }),
  actor: z.unknown().optional().meta({ description: "a username: always the sender's" }),
  targets: z.unknown().optional().meta({ description: 'usernames of the accounts it is about' }),
  data: z.unknown().optional(),
});

export const ReactionCount = z.object({ emoji: z.string(), count: z.int(), reactors: z.array(Actor) });

/** What the page behind a link says of itself: the words of a stranger. */
export const LinkPreview = z.object({
  url: z.string().meta({ description: 'the link as in the text' }),
  title: z.string(),
  description: z.string().optional(),
  site_name: z.string().optional(),
});

/** A poll with its results; it takes votes until it is closed, or until `closes_at`. */
export const Poll = z.object({
  question: z.string(),
  options: z.array(z.object({ text: z.string(), votes: z.int() })),
  voter_count: z.int(),
  is_multiple: z.boolean().meta({ description: 'a vote may name several options' }),
  is_anonymous: z.boolean().meta({ description: 'nobody is told who voted for what' }),
  closes_at: isoTime().optional(),
  closed_at: isoTime().optional().meta({ description: 'closePoll ended it' }),
});

export const PollInput = z.object({
  question: name(limits.pollQuestionBytes),
  options: z
    .array(name(limits.pollOptionBytes))
    .min(2)
    .max(limits.pollOptions)
    .refine((options) => new Set(options).size === options.length, 'has the same option twice'),
  is_multiple: optional(z.boolean()),
  is_anonymous: optional(z.boolean()),
  closes_in: optional(z.number().int().min(limits.pollSecondsLeast).max(limits.pollSecondsMost)).meta({
    description: 'seconds until it ends by itself',
  }),
});

/** The vote of one account: indexes of options, from 0; none if it took its vote back. */
export const PollVote = z.object({ message_id: z.uuid(), options: z.array(z.int()) });

/** The tokens that a reply used, as reported by its provider or daemon. */
export const TokenUsage = z.object({ input_tokens: z.int(), output_tokens: z.int() });

/** An amount of money. */
export const Price = z.object({
  currency: z.string().meta({ description: 'ISO 4217, such as `USD`' }),
  micros: z.int().meta({ description: 'millionths of a unit of the currency' }),
});

/** The original sender and time of a forwarded message; its conversation is never disclosed. */
export const Forwarded = z.object({ sender: Actor, created_at: isoTime() });

/**
 * A pressed button or a submitted form. `fields` holds plain values, bounded, with those that look like secrets masked.
 */
export const ComponentAction = z.object({
  username: z.string().meta({ description: 'the account that pressed or submitted' }),
  action: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});

/** The versions of a reply, the same on each of them. */
export const Versions = z.object({
  ids: z.array(z.uuid()).meta({ description: 'the messages, oldest first' }),
  current: z.uuid().meta({ description: 'the one that people are shown and models receive' }),
});

/** A message and its timeline. */
export const MessagePlace = z.object({
  chat_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  thread_root_id: z.uuid().nullable(),
  message_id: z.uuid(),
});

export const messageStatus = z.enum(['streaming', 'complete', 'cancelled', 'failed']);

export const Message = z.object({
  id: z.uuid(),
  position: z.int(),
  conversation_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  thread_root_id: z.uuid().nullable(),
  sender: Account,
  content: z.string(),
  parts: z.array(Part).optional().meta({ description: 'of a reply: what it consists of beside its text, if anything' }),
  parts_revision: z.int().optional().meta({
    description: 'in a snapshot for a socket with `patch`: the revision of its newest part, if above that of the text',
  }),
  attachments: z.array(Attachment),
  reply_to_id: z.uuid().nullable(),
  client_msg_id: z.string().optional(),
  service: ServiceNotice.optional(),
  mentions: z.array(z.string()),
  dispatch: z.array(z.string()),
  reactions: z.array(ReactionCount),
  poll: Poll.optional().meta({ description: '`content` has the question and the options as text' }),
  link_preview: LinkPreview.nullable()
    .optional()
    .meta({ description: 'of the first link; null if the sender wants none' }),
  thread: z.object({ count: z.int(), last_at: isoTime() }).optional(),
  versions: Versions.optional().meta({ description: 'of a reply that was regenerated, while it has several versions' }),
  created_at: isoTime(),
  edited_at: isoTime().optional(),
  deleted_at: isoTime().optional(),
  content_revision: z.int(),
  status: messageStatus,
  finish_reason: z.string().optional(),
  finalized_at: isoTime().optional(),
  usage: TokenUsage.optional().meta({ description: 'of a finished reply, if its provider or daemon reported it' }),
  forwarded_from: Forwarded.optional().meta({ description: 'on a copy made by forwardMessages' }),
  component_action: ComponentAction.optional().meta({
    description:
      "on an agent's confirmation: the action that it confirms. The text comes from that account, not from the agent.",
  }),
  reminder_of: MessagePlace.optional().meta({
    description: 'on a message of the guide: the message that it reminds of',
  }),
  resumed: z.boolean().optional().meta({ description: 'startMessageStream only: the stream already existed' }),
});

export const MessagesPage = z.object({ items: z.array(Message), next_cursor: z.string().optional() });

/** A picture that people write as `:name:`, in texts, as a reaction and in a status. */
export const CustomEmoji = z.object({
  name: z.string(),
  url: z.string().meta({ description: "relative to the service's address; anyone who has it may fetch the picture" }),
  is_own: z.literal(true).optional().meta({ description: 'the caller made it' }),
  created_at: isoTime(),
});

export const Reaction = z.object({ message_id: z.uuid(), reactor: Actor, emoji: z.string(), created_at: isoTime() });

export const role = z.enum(['owner', 'admin', 'member']);
export const Participant = z.object({ ...Actor.shape, role });
export const Channel = z.object({ id: z.uuid(), title: z.string(), unread_count: z.int() });

export const Conversation = z.object({
  id: z.uuid(),
  kind: z.enum(['direct', 'group']),
  is_separate: z.literal(true).optional().meta({
    description: 'one of several direct chats of a human with an agent, which startChat created with `new`',
  }),
  title: z.string().nullable().meta({ description: 'of a group or of a separate chat' }),
  description: z.string().nullable(),
  avatar_url: z.string().nullable().meta({ description: "a group's picture" }),
  participants: z.array(Participant),
  participant_count: z.int(),
  channels: z.array(Channel),
  pinned_message_ids: z.array(z.uuid()),
  is_muted: z.boolean(),
  muted_until: isoTime().optional(),
  unread_count: z.int(),
  unread_mentions: z.int().meta({
    description: 'in a group: the unread messages that mention the reader or reply to one of its messages, at most 100',
  }),
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
  last_message: Message.nullable(),
  created_at: isoTime(),
  updated_at: isoTime(),
});

/** A folder of an account's conversations. */
export const Folder = z.object({ id: z.uuid(), name: z.string() });

/** A link that lets its holder join a group. */
export const Invite = z.object({
  id: z.uuid(),
  token: z.string(),
  url: z.string().meta({ description: 'only a path if the service does not know its own address' }),
  created_by: z.string().meta({ description: 'a username' }),
  created_at: isoTime(),
  expires_at: isoTime().optional(),
  max_uses: z.int().optional(),
  uses: z.int(),
});

/** A secret address whose posts become messages of an account of its own. */
export const Webhook = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  account: Account.meta({ description: 'the sender of its messages; `agent_provider` is `webhook`' }),
  created_at: isoTime(),
});

/** Where the service sends events of an account, each signed and in order, as they happen. */
export const WebhookSubscription = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()).meta({ description: 'names without `events.`' }),
  chat_id: z.uuid().optional().meta({ description: 'only events of this conversation' }),
  seq: z.int().meta({ description: 'the receiver has answered all events up to this number' }),
  status: z
    .enum(['active', 'failing', 'disabled'])
    .meta({ description: 'failing: the last attempt was not answered with 2xx, and another follows' }),
  failure: z.string().optional().meta({ description: 'why the last attempt failed' }),
  failing_since: isoTime().optional(),
  created_at: isoTime(),
});

/** What the holder of an invite's token learns of its group before joining. */
export const InvitePreview = z.object({
  title: z.string().meta({ description: "the group's" }),
  avatar_url: z.string().optional().meta({ description: "the group's picture, if it has one" }),
  member_count: z.int().meta({ description: 'people and agents' }),
  invited_by: z.string().optional().meta({ description: 'display name; absent if that account was deleted' }),
});

/** A message that the service will send for its author; with `failed` it could not, and waits for the author. */
export const ScheduledMessage = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  channel_id: z.uuid().optional(),
  thread_root_id: z.uuid().optional(),
  text: z.string(),
  reply_to_message_id: z.uuid().optional(),
  attachments: z.array(Attachment),
  client_msg_id: z.string().optional(),
  link_preview: z.boolean().optional(),
  send_at: isoTime(),
  created_at: isoTime(),
  failed: z
    .object({ code: z.enum(errorCodes), message: z.string() })
    .optional()
    .meta({ description: 'the error of the attempt to send it' }),
});

/** The service reminds its account of a message. */
export const Reminder = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  message_id: z.uuid(),
  remind_at: isoTime(),
  created_at: isoTime(),
});

export const Draft = z.object({
  chat_id: z.uuid(),
  channel_id: z.uuid().optional(),
  thread_root_id: z.uuid().optional(),
  text: z.string(),
  reply_to_id: z.uuid().nullable(),
  updated_at: unixMs(),
});

export const provider = z.enum(['provider_a', 'provider_b']);

export const FieldSpec = z.object({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and _, starting with a letter'),
  label: name(limits.titleBytes),
  type: z.enum(['string', 'text', 'number', 'boolean', 'select']),
  description: optional(label(1024, 0)),
  required: optional(z.boolean()),
  default: optional(label(4096, 0)),
  options: optional(z.array(label(limits.titleBytes)).max(100)),
  placeholder: optional(label(limits.titleBytes, 0)),
});

/** A command that a bot offers: a message that begins with `/` and its name. */
export const BotCommand = z.object({
  command: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and _, starting with a letter'),
  description: name(limits.titleBytes),
  arguments: optional(
    z
      .array(
        z.object({
          name: name(64),
          required: optional(z.boolean()),
          description: optional(line(limits.titleBytes, 0)),
        }),
      )
      .max(limits.commandArguments),
  ),
});

/** Who, besides the owner, may use the owner's key. */
/** How much the model of an agent thinks before it answers. */
export const thinking = z.enum(['off', 'low', 'medium', 'high']);
export type Thinking = z.output<typeof thinking>;

export const paysFor = z.enum(['nobody', 'groups', 'everyone']);
export type PaysFor = z.output<typeof paysFor>;

/** Who may start a direct chat with an agent: its owner, accounts that share a conversation with it, or everyone. */
export const visibility = z.enum(['private', 'groups', 'public']);
export type Visibility = z.output<typeof visibility>;

/** What an agent's model is sent of a conversation. */
export const AgentContext = z.object({
  messages: z.int().meta({ description: 'the newest messages, at most' }),
  characters: z.int().meta({ description: 'UTF-16 code units of text, at most' }),
  files: z.boolean().meta({ description: 'whether photos and files may be sent too' }),
});

const toOwner = (description: string) => ({ description: `${description}; only if the caller is the owner` });
const published = { description: 'only if the caller is the owner, or the owner published it' };

/** An agent as one account may see it. */
export const Agent = Account.extend({
  is_default: z.boolean().meta({ description: 'one of the two agents that every person has' }),
  visibility: visibility.meta({ description: 'who may start a direct chat with it' }),
  payer: z.string().nullable().optional().meta({
    description:
      'whose key a reply to the caller would use now, as in previewDispatch; absent if the caller is an agent',
  }),
  needs_key: z.literal(true).optional().meta({ description: 'no key may be used for the caller' }),
  server: z.string().optional().meta({
    description:
      "the host that conversations are sent to, if it is not the provider's; after `http://` if the connection is not encrypted",
  }),
  model: z.string().optional().meta(published),
  system_prompt: z.string().optional().meta(published),
  temperature: z.number().optional().meta(published),
  max_output_tokens: z.number().optional().meta(published),
  thinking: thinking.optional().meta(published),
  base_url: z.string().optional().meta(toOwner("the address of the server, if it is not the provider's")),
  key_configured: z.boolean().optional().meta(toOwner('whether the owner has a key for it')),
  context: AgentContext.optional().meta(toOwner('what the model is sent of a conversation')),
  pays_for: paysFor.optional().meta(toOwner("who else may use the owner's key")),
  titles: z.boolean().optional().meta(toOwner('whether it gives titles to separate chats')),
  allowed_models: z.array(z.string()).optional().meta(toOwner("models that others may choose on the owner's key")),
  asker_daily_tokens: z.int().optional().meta(toOwner("tokens of each other human on the owner's key per UTC day")),
  monthly_token_cap: z.int().nullable().optional().meta(toOwner('tokens per UTC month; null for no cap')),
  group_monthly_tokens: z
    .int()
    .nullable()
    .optional()
    .meta(toOwner("tokens in each group on the owner's key per UTC month; null for no limit")),
});

/** Values of an agent's settings, by field. */
const settings = () => z.record(z.string(), z.string());

export const MyBotConfig = z.object({
  bot: Account,
  template: z.string().nullable(),
  server: z
    .string()
    .optional()
    .meta({ description: "the host that keys are sent to, if it is not the provider's, as in Agent" }),
  config_schema: z.array(FieldSpec),
  secret_schema: z.array(FieldSpec),
  owner_config: settings().meta({
    description: 'the fields that the owner published; all of them if the caller is the owner',
  }),
  owner_set_keys: z.array(z.string()),
  my_config: settings(),
  my_secrets: z.array(z.object({ field: z.string(), tail: z.string() })),
  owner_secret_fields: z.array(z.string()),
  show_on_profile: z.array(z.string()).optional().meta({ description: 'only if the caller is the owner' }),
  is_public: z.boolean().optional().meta({ description: 'only if the caller is the owner' }),
  handles_actions: z.boolean().optional().meta({
    description: 'of a bot, only if the caller is its owner: whether presses and submitted forms are sent to it',
  }),
  monthly_token_cap: z
    .int()
    .nullable()
    .optional()
    .meta({ description: 'only if the caller is the owner; null if there is no cap' }),
  group_monthly_tokens: z.int().nullable().optional().meta({
    description:
      "only if the caller is the owner: tokens that may be used in each group on the owner's key per UTC month; null if there is no limit",
  }),
  pays_for: paysFor
    .optional()
    .meta({ description: "only if the caller is the owner: who else may use the owner's key" }),
  titles: z
    .boolean()
    .optional()
    .meta({ description: 'only if the caller is the owner: whether the agent gives titles to separate chats' }),
  allowed_models: z.array(z.string()).optional().meta({
    description: "only if the caller is the owner: the models that others may choose when they use the owner's key",
  }),
  asker_daily_tokens: z.int().optional().meta({
    description: "only if the caller is the owner: tokens that each other human may use on the owner's key per UTC day",
  }),
});

/** The settings and secrets that an agent uses for one human. */
export const RunConfig = z.object({ user: z.string(), config: settings(), secrets: settings() });

const categoryPrefs = z.object({ enabled: z.boolean(), preview: z.boolean(), sound: z.boolean() });

/** An account's notification preferences, for all its devices. */
export const inboxReason = z.enum(['mention', 'reply', 'thread', 'failed_reply']);

/** A message that its reader is to look at. */
export const InboxItem = z.object({
  message_id: z.uuid(),
  position: z.int(),
  conversation_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  thread_root_id: z.uuid().nullable(),
  reason: inboxReason.meta({
    description:
      '`thread`: the first new message of a thread in which the reader wrote; `failed_reply`: of an agent of the reader',
  }),
  sender: Actor,
  snippet: z.string().meta({ description: 'the beginning of the message as plain text' }),
  is_unread: z.boolean().meta({ description: 'the message is after the read marker of its conversation' }),
  created_at: isoTime(),
});

/** What a person shows beside its name: an emoji, a text, or both. */
export const Status = z.object({
  emoji: z.string().optional(),
  text: z.string().optional(),
  until: isoTime().optional().meta({ description: 'when it ends; clients hide it then' }),
});

export const presenceStatus = z.enum(['online', 'offline']);

export const Presence = z.object({
  username: z.string(),
  status: presenceStatus.optional().meta({ description: 'absent if the caller may not know it' }),
  last_seen_at: isoTime().optional().meta({ description: 'of a person who is offline, to the minute' }),
  custom_status: Status.optional().meta({ description: 'what the person has set with setStatus' }),
});

export const NotifPrefs = z.object({
  private_chats: categoryPrefs,
  group_chats: categoryPrefs,
  message_preview: z.boolean(),
  badge: z.object({ enabled: z.boolean(), include_groups: z.boolean(), count_messages: z.boolean() }),
});

/** Notification preferences of one device; the service only stores `in_app` for the client. */
export const DeviceNotifPref = z.object({
  enabled: z.boolean(),
  in_app: z.object({ sounds: z.boolean(), vibrate: z.boolean(), preview: z.boolean() }),
});

/** What a person shares with others, and in turn sees of them. */
export const Privacy = z.object({
  read_receipts: z.boolean().meta({ description: 'whether senders learn that the person has read their messages' }),
  last_seen: z.boolean().meta({ description: 'whether others learn when the person was last online' }),
  link_previews: z.boolean().meta({
    description: "whether the service reads the pages behind links in the person's messages, and apps show previews",
  }),
});

export type Account = z.output<typeof Account>;
export type Agent = z.output<typeof Agent>;
export type AgentContext = z.output<typeof AgentContext>;
export type Actor = z.output<typeof Actor>;
export type Session = z.output<typeof Session>;
export type MediaKind = z.output<typeof mediaKind>;
export type SearchedKind = z.output<typeof searchedKind>;
export type Attachment = z.output<typeof Attachment>;
export type AttachmentInput = z.output<typeof AttachmentInput>;
export type UploadedFile = z.output<typeof UploadedFile>;
export type ServiceNotice = z.output<typeof ServiceNotice>;
export type ComponentAction = z.output<typeof ComponentAction>;
export type TokenUsage = z.output<typeof TokenUsage>;
export type Price = z.output<typeof Price>;
export type MessagePlace = z.output<typeof MessagePlace>;
export type Versions = z.output<typeof Versions>;
export type Poll = z.output<typeof Poll>;
export type PollInput = z.output<typeof PollInput>;
export type LinkPreview = z.output<typeof LinkPreview>;
export type PollVote = z.output<typeof PollVote>;
export type MessageStatus = z.output<typeof messageStatus>;
export type Message = z.output<typeof Message>;
export type MessagesPage = z.output<typeof MessagesPage>;
export type CustomEmoji = z.output<typeof CustomEmoji>;
export type Reaction = z.output<typeof Reaction>;
export type Role = z.output<typeof role>;
export type Participant = z.output<typeof Participant>;
export type Channel = z.output<typeof Channel>;
export type Conversation = z.output<typeof Conversation>;
export type Folder = z.output<typeof Folder>;
export type Invite = z.output<typeof Invite>;
export type Webhook = z.output<typeof Webhook>;
export type WebhookSubscription = z.output<typeof WebhookSubscription>;
export type ScheduledMessage = z.output<typeof ScheduledMessage>;
export type Reminder = z.output<typeof Reminder>;
export type Draft = z.output<typeof Draft>;
export type Provider = z.output<typeof provider>;
export type FieldSpec = z.output<typeof FieldSpec>;
export type BotCommand = z.output<typeof BotCommand>;
export type MyBotConfig = z.output<typeof MyBotConfig>;
export type RunConfig = z.output<typeof RunConfig>;
export type InboxReason = z.output<typeof inboxReason>;
export type InboxItem = z.output<typeof InboxItem>;
export type Status = z.output<typeof Status>;
export type PresenceStatus = z.output<typeof presenceStatus>;
export type Presence = z.output<typeof Presence>;
export type NotifPrefs = z.output<typeof NotifPrefs>;
export type Privacy = z.output<typeof Privacy>;
export type DeviceNotifPref = z.output<typeof DeviceNotifPref>;
