// Agents, bots and their settings.
import { z } from 'zod';
import { label, line, name, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { Account } from './accounts.ts';

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

/** How much the model of an agent thinks before it answers. */
export const thinking = z.enum(['off', 'low', 'medium', 'high']);

/** The service's own tools, which an agent may use in its conversations. */
export const builtInTool = z.enum([
  'search_messages',
  'read_file',
  'list_people',
  'current_time',
  'remind',
  'ask',
  'remember',
  'forget',
  'search_my_conversations',
  'draw_picture',
  'run_code',
]);

/** Who, besides the owner, may use the owner's key. */
export const paysFor = z.enum(['nobody', 'groups', 'everyone']);

/** Who may start a direct chat with an agent: its owner, accounts that share a conversation with it, or everyone. */
export const visibility = z.enum(['private', 'groups', 'public']);

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
  web_search: z.boolean().optional().meta(published),
  built_in_tools: z
    .array(builtInTool)
    .optional()
    .meta({ description: "the service's own tools that it may use; absent if there are none" }),
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

export type BuiltInTool = z.output<typeof builtInTool>;
export type Thinking = z.output<typeof thinking>;
export type PaysFor = z.output<typeof paysFor>;
export type Visibility = z.output<typeof visibility>;
export type Agent = z.output<typeof Agent>;
export type AgentContext = z.output<typeof AgentContext>;
export type Provider = z.output<typeof provider>;
export type FieldSpec = z.output<typeof FieldSpec>;
export type BotCommand = z.output<typeof BotCommand>;
export type MyBotConfig = z.output<typeof MyBotConfig>;
export type RunConfig = z.output<typeof RunConfig>;
