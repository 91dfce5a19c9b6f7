import { z } from 'zod';
import { fits } from '../byte-length.ts';
import { withoutCombinations } from '../combinations.ts';
import {
  askedPassword,
  isoTime,
  label,
  name,
  optional,
  text,
  TOO_LARGE,
  username,
  usernamePattern,
  uuid,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { internalNames, operation } from '../operation.ts';
import { PartInput } from '../parts.ts';
import {
  Account,
  Actor,
  BotCommand,
  FieldSpec,
  givenFields,
  Message,
  AttachmentInput,
  provider,
  visibility,
} from '../resources.ts';

const access = ['not_found', 'forbidden'] as const;
const chat = { chat_id: uuid() };
const tokens = () => z.number().int().min(0).max(limits.replyTokens);
const groupAgent = { ...chat, agent_username: username() };

const OpenStream = z.object({
  message_id: z.string(),
  conversation_id: z.string(),
  channel_id: z.string().nullable(),
  thread_root_id: z.string().nullable(),
  reply_to_id: z.string().nullable(),
  client_msg_id: z.string().optional().describe('as given to startMessageStream'),
  cancel_requested: z.boolean().meta({ description: 'a person has asked to stop the reply' }),
  created_at: isoTime(),
});

const PreviewedAgent = z.object({
  username: z.string(),
  display_name: z.string(),
  reason: z
    .enum(['mentioned', 'quoted', 'follows', 'always_on'])
    .meta({ description: '`follows`: the agent follows the thread' }),
  payer: z.string().nullable().meta({
    description: "the username of the account that pays: the caller, or the agent's owner; null if nobody does",
  }),
  needs_key: z.literal(true).optional().meta({ description: 'the reply would fail, because no key may be used' }),
  chain_for: z.string().optional().meta({
    description:
      'the username of the account on whose behalf other agents run that the reply of this one mentions, and whose keys and quotas that may use: the caller, if the message asks this agent, otherwise its owner. What a bot sends beside its reply runs for its owner. Absent if no other agent takes part',
  }),
  tools: z
    .array(
      z.object({
        server: z.string().describe("the server's name"),
        names: z.array(z.string()).describe('the tools, as far as they are known before the server is asked'),
        as: z.enum(['asker', 'owner', 'none']).describe('with whose credential they are called'),
        approval: z.enum(['never', 'writes', 'always']).describe('which calls ask the sender first'),
      }),
    )
    .optional()
    .describe('what the agent may use for its reply; absent if it has no tools'),
  budget: z
    .object({ calls: z.int().describe('how many calls of tools the reply may make before the sender is asked') })
    .optional()
    .describe('of an agent with tools'),
});

export const agentOperations = {
  getMyAgents: operation({
    summary: "The caller's agents, and whether each has a key.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({
      items: z.array(
        z.object({
          provider: z.string().describe('what runs the agent, as `agent_provider` of its account'),
          username: z.string(),
          display_name: z.string(),
          key_configured: z.boolean().describe('whether the caller has set a key for it'),
          is_default: z.boolean().meta({ description: 'one of the two agents that every person has' }),
          visibility: visibility.describe('who may start a direct chat with it'),
          avatar_url: z.string().optional(),
          base_url: z
            .string()
            .optional()
            .describe("the address of the agent's own server; absent if it uses its provider's"),
        }),
      ),
    }),
    errors: [],
  }),
  setAgentKey: operation({
    summary: "Sets or replaces the API key of the caller's provider agent.",
    policy: { scope: null, rate: 'writes' },
    input: z.object({
      provider,
      api_key: label(4096).describe('the key, as the provider issued it; it is stored encrypted and never returned'),
    }),
    result: z.object({ provider, key_tail: z.string().describe('its last four characters, the others masked') }),
    errors: ['forbidden', 'not_found'],
  }),
  removeAgentKey: operation({
    summary: "Removes the API key of the caller's provider agent.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ provider }),
    result: null,
    errors: ['forbidden', 'not_found'],
  }),
  getGroupAgents: operation({
    summary: 'The agents of a conversation and their modes.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object(chat),
    result: z.object({
      items: z.array(
        z.object({
          agent: Actor.describe('the account of the agent'),
          always_on: z.boolean(),
          follows_threads: z.boolean(),
        }),
      ),
    }),
    errors: access,
  }),
  addGroupAgent: operation({
    summary: "Adds the caller's agent to a group, or sets its mode there.",
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object({ ...groupAgent, always_on: optional(z.boolean()) }),
    result: null,
    errors: access,
  }),
  removeGroupAgent: operation({
    summary: "Removes the caller's agent from a group.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object(groupAgent),
    result: null,
    errors: access,
  }),
  setGroupAgentMode: operation({
    summary:
      "Sets whether the caller's agent answers every human message of a group, and whether it follows threads: once a human has asked it in a thread, it answers every human message there, until 30 minutes have passed without one.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({
      ...groupAgent,
      always_on: z.boolean(),
      follows_threads: optional(z.boolean()).meta({ description: 'stays as it is if it is absent; false at first' }),
    }),
    result: null,
    errors: access,
  }),
  dismissAgent: operation({
    summary: 'Ends that an agent follows a thread. It follows the thread again when a human asks it there.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...groupAgent, thread_root_id: uuid(), channel_id: optional(uuid()) }),
    result: null,
    errors: access,
  }),
  previewDispatch: operation({
    summary:
      'The agents that a message of the caller would fire if it were sent now, and whose key would pay for each. Nothing is stored or sent.',
    policy: { scope: 'read', rate: 'previews', limitedSessions: true },
    input: z.object({
      ...chat,
      text: text(limits.humanTextBytes).describe('the text of the message'),
      reply_to_message_id: optional(uuid()),
      channel_id: optional(uuid()),
      thread_root_id: optional(uuid()),
    }),
    result: z.object({ agents: z.array(PreviewedAgent).describe('in the order of `dispatch`') }),
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  stopRun: operation({
    summary: 'Stops the reply `message_id`, or, without it, all streaming replies in a conversation.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({
      ...chat,
      message_id: optional(uuid()).describe('the reply to stop; absent: all replies in the conversation'),
    }),
    result: null,
    errors: access,
  }),
  retryReply: operation({
    summary:
      "Generates another version of an agent's finished reply; answers the new placeholder Message. The old one stays, as a version that is not current. Only the human who caused the reply can call it. Replies of bots cannot be retried: 409.",
    policy: { scope: 'send', rate: 'messages', limitedSessions: true },
    input: z.object({ message_id: uuid() }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  chooseVersion: operation({
    summary:
      'Makes a version of a regenerated reply the current one, for everyone; answers its Message. Only the human who caused the reply can call it.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({ message_id: uuid() }),
    result: Message,
    errors: ['not_found', 'forbidden'],
  }),
  continueReply: operation({
    summary:
      "Continues an agent's reply that was cut off by a limit (`finish_reason` `length`): the same message streams again, with the text that it has. Only the human who caused the reply can call it. Replies of bots cannot be continued: 409.",
    policy: { scope: 'send', rate: 'messages', limitedSessions: true },
    input: z.object({ message_id: uuid() }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  createBot: operation({
    summary: 'Creates the bot account `<caller>:<slug>`. Its token is returned only here.',
    policy: { scope: null, rate: 'writes' },
    input: z.object({
      slug: z.string().regex(usernamePattern, 'must be 1 to 32 of a-z, 0-9 and _'),
      display_name: name(limits.nameBytes),
      is_public: optional(z.boolean()).meta({ description: 'whether anyone can start a chat with it' }),
      template: optional(label(limits.nameBytes, 0)).describe(
        'a name for the kind of bot, which getMyBotConfig returns',
      ),
      config_schema: optional(z.array(FieldSpec).max(limits.schemaFields)),
      secret_schema: optional(z.array(FieldSpec).max(limits.schemaFields)),
      password: askedPassword(),
    }),
    result: z.object({
      bot: Account,
      token: z.string().describe('what the bot calls the service with; it is returned only here'),
    }),
    errors: ['conflict', 'forbidden'],
  }),
  rotateBotToken: operation({
    summary: "Issues a new token for the caller's bot and revokes the old one.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ username: username(), password: askedPassword() }),
    result: z.object({ token: z.string().describe('the new token; it is returned only here') }),
    errors: access,
  }),
  deleteBot: operation({
    summary: "Deletes the caller's bot and revokes its token; its messages stay.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ username: username() }),
    result: null,
    errors: access,
  }),
  setBotCommands: operation({
    summary:
      'Replaces the commands that the calling bot offers; an empty list removes them. Apps suggest them when a person types `/`.',
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object({
      commands: z
        .array(BotCommand)
        .max(limits.botCommands)
        .refine((commands) => fits(JSON.stringify(commands), limits.commandsBytes), {
          message: TOO_LARGE,
          params: { maxBytes: limits.commandsBytes },
        })
        .describe('all commands, in the order in which apps list them'),
    }),
    result: null,
    errors: ['forbidden', 'too_large'],
  }),
  getBotCommands: operation({
    summary: 'The commands that the bots of a conversation offer.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object(chat),
    result: z.object({
      items: z.array(z.object({ bot: Actor, commands: z.array(BotCommand).describe('the commands that it offers') })),
    }),
    errors: access,
  }),
  getOpenStreams: operation({
    summary:
      'The replies that the calling bot has started and not ended, oldest first. getMessages returns their texts.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({ items: z.array(OpenStream) }),
    errors: ['forbidden'],
  }),
  startMessageStream: operation({
    summary: 'Starts a streaming reply of the calling bot; answers the placeholder Message.',
    policy: { scope: 'send', rate: 'messages' },
    input: z.object({
      ...chat,
      reply_to_message_id: optional(uuid()),
      channel_id: optional(uuid()),
      thread_root_id: optional(uuid()),
      client_msg_id: givenFields.client_msg_id,
    }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict'],
    methods: [{ name: 'streams.start', rename: internalNames }],
  }),
  appendMessageStream: operation({
    summary:
      'Appends `delta`, after which the text has `offset` bytes, or replaces the whole text with `text`, or writes a part: a whole one, or `append` to the text of a reasoning part, which then has `text_offset` bytes.',
    policy: { scope: 'send', rate: 'continuations', guests: true },
    input: withoutCombinations(
      z.object({
        message_id: uuid(),
        delta: optional(text(limits.agentTextBytes)).describe('text to add to the reply'),
        offset: optional(z.number().int().min(0)).describe(
          'with `delta`: the length in bytes of the whole text after it, by which a repeated call changes nothing',
        ),
        text: optional(text(limits.agentTextBytes)).describe('the whole text of the reply so far, instead of `delta`'),
        part: optional(PartInput).describe('a part to add or to change, instead of text'),
      }),
      { when: { part: 'given', delta: 'given' }, at: 'delta', message: 'cannot be combined with part' },
      { when: { part: 'given', text: 'given' }, at: 'text', message: 'cannot be combined with part' },
      { when: { text: 'given', delta: 'given' }, at: 'text', message: 'cannot be combined with delta' },
      { when: { part: 'absent', text: 'absent', delta: 'absent' }, at: 'delta', message: 'or text is required' },
      { when: { delta: 'given', offset: 'absent' }, at: 'offset', message: 'is required with delta' },
    ),
    result: z.object({
      cancel_requested: z.boolean().describe('a person has asked to stop the reply'),
      offset: z.int().describe('the length in bytes of the text that the service has'),
      content_revision: z.int(),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
    methods: [{ name: 'streams.append', rename: { content: 'text' } }],
  }),
  finishMessageStream: operation({
    summary: 'Ends a streaming reply; it is stored when this answers. `usage`: the tokens that the reply used.',
    policy: { scope: 'send', rate: 'continuations', guests: true },
    input: z.object({
      message_id: uuid(),
      text: optional(text(limits.agentTextBytes)).describe('the final text; absent: what was appended'),
      attachments: optional(z.array(AttachmentInput).max(limits.attachments)),
      status: optional(z.enum(['complete', 'failed', 'cancelled'])).describe(
        'how the reply ended; `complete` by default',
      ),
      usage: optional(z.object({ input_tokens: tokens(), output_tokens: tokens() })).describe(
        'the tokens that the reply used',
      ),
    }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
    methods: [{ name: 'streams.finish', rename: { content: 'text' } }],
  }),
} as const;
