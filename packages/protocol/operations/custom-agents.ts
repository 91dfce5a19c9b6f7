import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import { label, modelName, name, optional, text, username, usernamePattern, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Agent, builtInTool, paysFor, provider, thinking, visibility } from '../resources.ts';

/** Null, like a blank text, removes a value; in createAgent it means that there is none. */
const removable = <Schema extends z.ZodType>(schema: Schema, description?: string) =>
  schema.nullish().meta(description === undefined ? {} : { description });

const context = z.object({
  messages: optional(z.int().min(1).max(limits.contextMessages)).describe('the newest messages, at most'),
  characters: optional(z.int().min(limits.contextCharactersLeast).max(limits.contextCharacters)).describe(
    'UTF-16 code units of text, at most',
  ),
  files: optional(z.boolean()).describe('whether photos and files may be sent too'),
});

/** What both createAgent and updateAgent take. Values of the model are those of setBotConfig (CUSTOM-2). */
const settings = {
  model: removable(
    text(limits.settingBytes),
    'required with a `base_url`; otherwise by default the one of the operator',
  ),
  base_url: removable(
    label(limits.baseUrlBytes, 0),
    "the address of a server that speaks the provider's API, usually ending in `/v1`; by default the provider's own",
  ),
  system_prompt: removable(text(limits.settingTextBytes), 'the instructions that its model follows'),
  temperature: removable(z.number().min(0).max(2), "how varied its answers are; by default the model's own"),
  max_output_tokens: removable(z.int().min(1).max(limits.maxOutputTokens), 'tokens of a reply, at most'),
  thinking: removable(thinking, 'how much the model thinks before it answers; `off` by default'),
  web_search: removable(
    z.boolean(),
    "whether its model may use the provider's search of the web; only at providers that have one, and not on a server of its own",
  ),
  built_in_tools: optional(z.array(builtInTool).max(builtInTool.options.length)).meta({
    description:
      "the service's own tools that it may use in its conversations, with the rights of the person who asked; none by default",
  }),
  description: removable(label(limits.bioBytes, 0), 'the `bio` of its account'),
  avatar_file_id: removable(uuid(), 'a photo that the caller has uploaded'),
  context: removable(context, 'what the model is sent of a conversation; fields left out have their defaults'),
  visibility: optional(visibility).meta({
    description:
      'who may start a direct chat with it: the owner (private), accounts that share a conversation with it (groups, the default), everyone (public)',
  }),
  pays_for: optional(paysFor).meta({ description: "who else may use the owner's key" }),
  titles: optional(z.boolean()).meta({
    description:
      'whether the agent gives titles to separate chats, with one more request after the first reply; true by default',
  }),
  allowed_models: optional(z.array(modelName()).max(limits.allowedModels)).meta({
    description: "the values of `model` that others may choose when they use the owner's key",
  }),
  asker_daily_tokens: removable(
    z.int().min(0),
    "input and output tokens that each other human may use on the owner's key per UTC day; null restores the default",
  ),
  group_monthly_tokens: removable(
    z.int().min(0),
    "input and output tokens that may be used in each group on the owner's key per UTC month; null removes the limit",
  ),
};

export const customAgentOperations = {
  createAgent: operation({
    summary:
      "Creates the agent `<caller>:<slug>`, which the service runs on a provider's API or on a server that speaks it.",
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object({
      slug: z.string().regex(usernamePattern, 'must be 1 to 32 of a-z, 0-9 and _'),
      display_name: name(limits.nameBytes),
      provider,
      ...settings,
    }),
    result: Agent,
    errors: ['conflict', 'forbidden', 'not_found', 'too_large'],
  }),
  updateAgent: operation({
    summary:
      "Changes the caller's agent; fields that are not given stay. Null or a blank text removes a value. A `base_url` on another server removes all keys that were set for the agent. A bot takes `display_name`, `description`, `avatar_file_id` and `visibility` only.",
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object({ username: username(), display_name: optional(name(limits.nameBytes)), ...settings }),
    result: Agent,
    errors: ['forbidden', 'not_found', 'too_large'],
  }),
  deleteAgent: operation({
    summary:
      "Deletes the caller's agent or bot; its messages stay. The two agents that everyone has cannot be deleted.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ username: username() }),
    result: null,
    errors: ['forbidden', 'not_found'],
  }),
  getAgent: operation({
    summary: 'An agent as the caller may see it: its owner sees everything.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ username: username() }),
    result: Agent,
    errors: ['forbidden', 'not_found'],
  }),
  getModels: operation({
    summary:
      "The models that an agent's server offers, or the provider of the caller's default agent; asked with the caller's own key, or, by the owner, without one if the server is the agent's own.",
    policy: { scope: 'read', rate: 'models' },
    input: withoutCombinations(
      z.object({
        username: optional(username()).describe('the agent whose server is asked'),
        provider: optional(provider).describe("the provider of the caller's default agent, instead of `username`"),
      }),
      ...(['absent', 'given'] as const).map((both) => ({
        when: { username: both, provider: both },
        at: 'username' as const,
        message: 'or provider is required, and only one of them',
      })),
    ),
    result: z.object({
      items: z.array(
        z.object({
          id: z.string().describe('what `model` is set to'),
          name: z.string().optional().describe('its name for people'),
        }),
      ),
    }),
    errors: ['forbidden', 'not_found'],
  }),
} as const;
