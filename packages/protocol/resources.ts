import { z } from 'zod';
import { withoutCombinations } from './combinations.ts';
import { errorCodes } from './errors.ts';
import { base64, boundedJson, isoTime, label, line, name, optional, unixMs, uuid } from './fields.ts';
import { limits } from './limits.ts';
import { Part } from './parts.ts';

export const accountKind = z.enum(['human', 'agent']).describe('a person, or an agent; bots are agents');

export const Account = z.object({
  username: z.string(),
  kind: accountKind,
  display_name: z.string(),
  parent_username: z.string().optional().describe("of an agent: its owner's username"),
  agent_provider: z.string().optional().describe('of an agent: what runs it, such as `provider_a`, `bot` or `webhook`'),
  avatar_url: z.string().optional(),
  bio: z.string().optional(),
  is_deleted: z.literal(true).optional().meta({ description: 'the account was deleted; its messages stay' }),
  created_at: isoTime(),
});

/** An account as it appears in events and lists. */
export const Actor = z.object({ username: z.string(), kind: accountKind, display_name: z.string() });

export const Session = z.object({
  id: z.string(),
  is_current: z.boolean().describe('the session whose token made this call'),
  device_name: z.string().optional().describe('the `name` of the device, as given at sign-in'),
  platform: z.string().optional().describe('as given at sign-in'),
  app_version: z.string().optional().describe('as given at sign-in'),
  created_at: isoTime(),
  last_active_at: isoTime().describe('when its token was last used'),
});

export const Device = z.object({
  name: optional(label(limits.nameBytes, 0)).describe(
    'what the device is called in the list of sessions, such as `Firefox on Linux`',
  ),
  platform: optional(label(limits.nameBytes, 0)).describe('such as `web`, `ios` or `android`'),
  app_version: optional(label(limits.nameBytes, 0)).describe('the version of the app'),
});

const size = () => optional(z.number().int().min(0));
const attachmentKind = z
  .enum(['news', 'ticker', 'positions', 'photo', 'file'])
  .describe('what is attached: a photo, another file, or a card made of `data`');
const attachmentFields = {
  id: optional(uuid()).meta({ description: 'id of a file uploaded with `uploadFile`' }),
  url: optional(label(4096, 0)).describe(
    "where it is; of an uploaded file a path relative to the service's address, valid for up to 10 minutes",
  ),
  thumbnail_url: optional(label(4096, 0)).describe(
    'of an uploaded photo: a WebP image of at most 512 pixels, at an address like `url`',
  ),
  name: optional(label(1024, 0)).describe('the name of the file'),
  mime_type: optional(label(256, 0)).describe(
    'the media type, such as `image/png`; of an uploaded file detected from its content',
  ),
  size: size().describe('in bytes'),
  width: size().describe('of a photo or video, in pixels'),
  height: size().describe('of a photo or video, in pixels'),
  title: optional(label(1024, 0)).describe('the heading of a card'),
  data: z.unknown().optional().describe('of a card: what it shows, any JSON'),
  duration_ms: optional(z.number().int().min(0).max(limits.soundMs)).meta({ description: 'of a recorded sound' }),
  waveform: optional(base64(limits.waveformBytes)).meta({
    description: 'of a recorded sound: a byte for the loudness of each of its equal pieces, as base64',
  }),
};
/** What a list of getChatMedia contains: photos and videos, other files, or links. */
export const mediaKind = z.enum(['media', 'files', 'links']).describe('photos and videos, other files, or links');

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
export const AttachmentInput = withoutCombinations(
  boundedJson(z.looseObject({ kind: optional(attachmentKind), ...attachmentFields }), limits.attachmentBytes),
  { when: { id: 'absent', kind: 'absent' }, at: 'kind', message: 'or the id of a file is required' },
);

/** A file stored by the service: an Attachment with an `id`. */
export const UploadedFile = z.object({
  id: z.uuid(),
  kind: z.enum(['photo', 'file']).describe('a photo has a thumbnail and a size in pixels'),
  name: z.string().describe('the name that the client gave'),
  mime_type: z.string().meta({ description: 'detected from the content' }),
  size: z.int().describe('in bytes'),
  width: z.int().optional().meta({ description: 'of a photo, with its orientation applied' }),
  height: z.int().optional().describe('of a photo, in pixels, with its orientation applied'),
  url: z.string().describe("relative to the service's address, valid for up to 10 minutes"),
  thumbnail_url: z.string().optional().meta({ description: 'a WebP image of at most 512 pixels' }),
});

/** Any object: the service sets `actor`, and interprets the other fields named here if it recognizes them. */
export const ServiceNotice = z.looseObject({
  kind: z.unknown().optional().meta({ description: 'what happened, e.g. `call_started`' }),
  actor: z.unknown().optional().meta({ description: "a username: always the sender's" }),
  targets: z.unknown().optional().meta({ description: 'usernames of the accounts it is about' }),
  data: z.unknown().optional().describe('more about what happened, any JSON'),
});

export const ReactionCount = z.object({
  emoji: z.string(),
  count: z.int().describe('how many accounts reacted with it'),
  reactors: z.array(Actor).describe('the first 50 of them'),
});

/** What the page behind a link says of itself: the words of a stranger. */
export const LinkPreview = z.object({
  url: z.string().meta({ description: 'the link as in the text' }),
  title: z.string().describe("the page's title"),
  description: z.string().optional().describe('what the page says it is about'),
  site_name: z.string().optional().describe('the name of the website'),
});

/** A poll with its results; it takes votes until it is closed, or until `closes_at`. */
export const Poll = z.object({
  question: z.string().describe('what is asked'),
  options: z
    .array(
      z.object({
        text: z.string().describe('what can be chosen'),
        votes: z.int().describe('accounts that have chosen it'),
      }),
    )
    .describe('the options in their order; a vote names them by index, from 0'),
  voter_count: z.int().describe('accounts that have voted'),
  is_multiple: z.boolean().meta({ description: 'a vote may name several options' }),
  is_anonymous: z.boolean().meta({ description: 'nobody is told who voted for what' }),
  closes_at: isoTime().optional().describe('when it ends by itself; absent if it does not'),
  closed_at: isoTime().optional().meta({ description: 'closePoll ended it' }),
});

export const PollInput = z.object({
  question: name(limits.pollQuestionBytes).describe('what is asked'),
  options: z
    .array(name(limits.pollOptionBytes))
    .min(2)
    .max(limits.pollOptions)
    .refine((options) => new Set(options).size === options.length, 'has the same option twice')
    .describe('what can be chosen, each option once'),
  is_multiple: optional(z.boolean()).describe('whether a vote may name several options; false by default'),
  is_anonymous: optional(z.boolean()).describe('whether nobody learns who voted for what; false by default'),
  closes_in: optional(z.number().int().min(limits.pollSecondsLeast).max(limits.pollSecondsMost)).meta({
    description: 'seconds until it ends by itself',
  }),
});

/** The vote of one account: indexes of options, from 0; none if it took its vote back. */
export const PollVote = z.object({
  message_id: z.uuid(),
  options: z.array(z.int()).describe('indexes of the chosen options, from 0; none if the account took its vote back'),
});

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
  action: z.string().describe('the token of the button or form'),
  fields: z.record(z.string(), z.string()).optional().describe('of a form: the submitted values, by field'),
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

export const messageStatus = z
  .enum(['streaming', 'complete', 'cancelled', 'failed'])
  .describe(
    '`streaming`: an agent is writing it; `cancelled`: a person stopped it; `failed`: `finish_reason` says why',
  );

export const Message = z.object({
  id: z.uuid(),
  position: z.int(),
  conversation_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  thread_root_id: z.uuid().nullable(),
  sender: Account,
  content: z.string().describe('the text, as Markdown; empty if the message was deleted'),
  parts: z.array(Part).optional().meta({ description: 'of a reply: what it consists of beside its text, if anything' }),
  parts_revision: z.int().optional().meta({
    description: 'in a snapshot for a socket with `patch`: the revision of its newest part, if above that of the text',
  }),
  attachments: z.array(Attachment),
  reply_to_id: z.uuid().nullable(),
  client_msg_id: z.string().optional(),
  service: ServiceNotice.optional().describe(
    'of a service notice, which apps show as a line of its own: what happened',
  ),
  mentions: z.array(z.string()).describe('usernames of the participants that the text mentions'),
  dispatch: z.array(z.string()).describe('usernames of the agents that the message fires'),
  reactions: z.array(ReactionCount).describe('one entry for each emoji'),
  poll: Poll.optional().meta({ description: '`content` has the question and the options as text' }),
  link_preview: LinkPreview.nullable()
    .optional()
    .meta({ description: 'of the first link; null if the sender wants none' }),
  thread: z
    .object({
      count: z.int().describe('messages in the thread'),
      last_at: isoTime().describe('when the newest of them was created'),
    })
    .optional()
    .describe('of a message under which there is a thread'),
  versions: Versions.optional().meta({ description: 'of a reply that was regenerated, while it has several versions' }),
  created_at: isoTime(),
  edited_at: isoTime().optional().describe('when its text was last edited; absent if it never was'),
  deleted_at: isoTime().optional().describe('when it was deleted; absent if it was not'),
  content_revision: z.int(),
  status: messageStatus,
  finish_reason: z
    .string()
    .optional()
    .describe("of an agent's reply that has ended: why, such as `stop`, `length` or `no_key`"),
  finalized_at: isoTime().optional().describe('when the reply ended; absent while it is streaming'),
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
  name: z.string().describe('what stands between the colons'),
  url: z.string().meta({ description: "relative to the service's address; anyone who has it may fetch the picture" }),
  is_own: z.literal(true).optional().meta({ description: 'the caller made it' }),
  created_at: isoTime(),
});

export const Reaction = z.object({ message_id: z.uuid(), reactor: Actor, emoji: z.string(), created_at: isoTime() });

export const role = z
  .enum(['owner', 'admin', 'member'])
  .describe('what the participant may do in the group; every participant of a direct chat is a member');
export const Participant = z.object({ ...Actor.shape, role });
export const Channel = z.object({
  id: z.uuid(),
  title: z.string().describe("the channel's name, without `#`"),
  unread_count: z.int().describe('messages of others after the read marker, in this channel'),
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
  participants: z.array(Participant),
  participant_count: z.int(),
  channels: z.array(Channel).describe('the channels of a group'),
  pinned_message_ids: z.array(z.uuid()).describe('newest pin first'),
  is_muted: z.boolean(),
  muted_until: isoTime().optional(),
  unread_count: z.int().describe('messages of others after the read marker, in all timelines'),
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
  last_message: Message.nullable().describe('the newest message that the caller can see; null if there is none'),
  created_at: isoTime(),
  updated_at: isoTime(),
});

/** A folder of an account's conversations. */
export const Folder = z.object({ id: z.uuid(), name: z.string().describe("the folder's name") });

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
  url: z.string().describe('where the events are sent'),
  events: z.array(z.string()).meta({ description: 'names without `events.`' }),
  chat_id: z.uuid().optional().meta({ description: 'only events of this conversation' }),
  seq: z.int().meta({ description: 'the receiver has answered all events up to this number' }),
  status: z
    .enum(['active', 'failing', 'disabled'])
    .meta({ description: 'failing: the last attempt was not answered with 2xx, and another follows' }),
  failure: z.string().optional().meta({ description: 'why the last attempt failed' }),
  failing_since: isoTime().optional().describe('when the first of the failing attempts was made'),
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
  text: z.string().describe('the text, as Markdown'),
  reply_to_message_id: z.uuid().optional(),
  attachments: z.array(Attachment),
  client_msg_id: z.string().optional(),
  link_preview: z.boolean().optional().describe('false: no preview of its first link will be made'),
  send_at: isoTime().describe('when the service sends it'),
  created_at: isoTime(),
  failed: z
    .object({
      code: z.enum(errorCodes).describe('the kind of error'),
      message: z.string().describe('what went wrong, for people'),
    })
    .optional()
    .meta({ description: 'the error of the attempt to send it' }),
});

/** The service reminds its account of a message. */
export const Reminder = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  message_id: z.uuid(),
  remind_at: isoTime().describe('when the service reminds its account'),
  created_at: isoTime(),
});

export const Draft = z.object({
  chat_id: z.uuid(),
  channel_id: z.uuid().optional(),
  thread_root_id: z.uuid().optional(),
  text: z.string().describe('what has been typed and not sent'),
  reply_to_id: z.uuid().nullable(),
  updated_at: unixMs(),
});

export const provider = z
  .enum(['provider_a', 'provider_b'])
  .describe('one of the two services whose models agents use');

export const FieldSpec = z.object({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and _, starting with a letter')
    .describe("the field's name in `config` or `secrets`"),
  label: name(limits.titleBytes).describe("the field's name for people"),
  type: z
    .enum(['string', 'text', 'number', 'boolean', 'select'])
    .describe('the kind of value; `text` has several lines, `select` is one of `options`'),
  description: optional(label(1024, 0)).describe('what the field is for'),
  required: optional(z.boolean()).describe('whether the agent needs a value; false by default'),
  default: optional(label(4096, 0)).describe('the value if nobody sets one'),
  options: optional(z.array(label(limits.titleBytes)).max(100)).describe('of `select`: the values to choose from'),
  placeholder: optional(label(limits.titleBytes, 0)).describe('shown in the empty field'),
});

/** A command that a bot offers: a message that begins with `/` and its name. */
export const BotCommand = z.object({
  command: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and _, starting with a letter')
    .describe('what follows the `/`'),
  description: name(limits.titleBytes).describe('what the command does, in a line'),
  arguments: optional(
    z
      .array(
        z.object({
          name: name(64).describe("the argument's name for people"),
          required: optional(z.boolean()).describe('whether the command needs it; false by default'),
          description: optional(line(limits.titleBytes, 0)).describe('what to type there'),
        }),
      )
      .max(limits.commandArguments),
  ).describe('what is typed after the command, in this order'),
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
  template: z.string().nullable().describe('the `template` of createBot; null if it had none'),
  server: z
    .string()
    .optional()
    .meta({ description: "the host that keys are sent to, if it is not the provider's, as in Agent" }),
  config_schema: z.array(FieldSpec),
  secret_schema: z.array(FieldSpec),
  owner_config: settings().meta({
    description: 'the fields that the owner published; all of them if the caller is the owner',
  }),
  owner_set_keys: z.array(z.string()).describe('the settings for which the owner has a value'),
  my_config: settings().describe("the caller's own values, which override the owner's"),
  my_secrets: z
    .array(
      z.object({
        field: z.string().describe('the `key` of the secret'),
        tail: z.string().describe('its last four characters, the others masked'),
      }),
    )
    .describe('the secrets that the caller has set; their values are never returned'),
  owner_secret_fields: z.array(z.string()).describe('the secrets for which the owner has a value'),
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
export const RunConfig = z.object({
  user: z.string().describe('username of the human who caused the firing'),
  config: settings().describe('the settings that hold for this human, by field'),
  secrets: settings().describe('the secrets that hold for this human, by field'),
});

const categoryPrefs = z.object({
  enabled: z.boolean().describe('whether there are any'),
  preview: z.boolean().describe('whether a push shows the text of the message'),
  sound: z.boolean().describe('whether a push makes a sound'),
});

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
  text: z.string().optional().describe('a short text beside the name'),
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
  private_chats: categoryPrefs.describe('notifications of direct chats'),
  group_chats: categoryPrefs.describe('notifications of groups'),
  message_preview: z.boolean().describe('whether any push shows the text of the message'),
  badge: z
    .object({
      enabled: z.boolean().describe('whether the icon of the app shows a number'),
      include_groups: z.boolean().describe('whether groups count, too'),
      count_messages: z.boolean().describe('whether it counts unread messages instead of conversations'),
    })
    .describe('the number on the icon of the app'),
});

/** Notification preferences of one device; the service only stores `in_app` for the client. */
export const DeviceNotifPref = z.object({
  enabled: z.boolean().describe('whether this device receives pushes'),
  in_app: z
    .object({
      sounds: z.boolean().describe('whether the app plays sounds'),
      vibrate: z.boolean().describe('whether the device vibrates'),
      preview: z.boolean().describe('whether the app shows the text of new messages'),
    })
    .describe('what the app does while it is open'),
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
