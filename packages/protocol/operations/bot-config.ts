import { z } from 'zod';
import { byteLength, fits } from '../byte-length.ts';
import { label, modelName, optional, TOO_LARGE, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { FieldSpec, MyBotConfig, paysFor, RunConfig } from '../resources.ts';

type Settings = Readonly<Record<string, string>>;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isFieldKey = (key: string): boolean => FieldSpec.shape.key.safeParse(key).success;

/**
 * A map of strings. The agent's schema decides which keys and values are valid. An error never repeats a key that no
 * schema can have, because a client may have put the secret itself where the key belongs.
 */
const settings = () =>
  z
    .custom<Settings>(isObject, 'must be an object of strings')
    .superRefine((given, context) => {
      // No schema has this many fields: do not validate thousands of entries.
      if (Object.keys(given).length > limits.schemaFields)
        return context.addIssue({ code: 'custom', message: `has more than ${limits.schemaFields} fields` });
      for (const [key, value] of Object.entries<unknown>(given)) {
        const refuse = (message: string) =>
          context.addIssue({ code: 'custom', path: isFieldKey(key) ? [key] : [], message });
        if (typeof value !== 'string') return refuse('must be a string');
        if (!value.isWellFormed()) return refuse('is not well-formed Unicode');
        if (!fits(value, limits.settingTextBytes)) return refuse(TOO_LARGE);
      }
      return undefined;
    })
    .meta({ type: 'object', additionalProperties: { type: 'string' } });

interface Change {
  config?: Settings | undefined;
  secrets?: Settings | undefined;
}

/** Settings that are not secret: numbers and booleans are converted to text (BOTCONF-3). */
const plainSettings = () =>
  z
    .custom<Readonly<Record<string, string | number | boolean>>>(isObject, 'must be an object of strings')
    .meta({
      type: 'object',
      additionalProperties: { anyOf: ['string', 'number', 'boolean'].map((type) => ({ type })) },
    })
    .transform((given) =>
      Object.fromEntries(
        Object.entries<unknown>(given).map(([key, value]) => [key, isPlain(value) ? String(value) : value]),
      ),
    )
    .pipe(settings());
const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** Bounds both maps together; the error names the map that exceeded the limit. */
function boundTogether({ config = {}, secrets = {} }: Change, context: z.core.$RefinementCtx): void {
  let left: number = limits.settingsBytes;
  for (const [field, given] of Object.entries({ config, secrets })) {
    // Values that are not strings have already been refused.
    for (const value of Object.values<unknown>(given)) left -= typeof value === 'string' ? byteLength(value) : 0;
    if (left < 0) return context.addIssue({ code: 'custom', path: [field], message: TOO_LARGE });
  }
  return undefined;
}

export const botConfigOperations = {
  getMyBotConfig: operation({
    summary: "An agent's settings for the caller: the schema, the owner's values, the caller's own values.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ username: username() }),
    result: MyBotConfig,
    errors: ['not_found', 'forbidden'],
  }),
  setMyBotConfig: operation({
    summary:
      "Sets the caller's own values, which override the owner's. `config` replaces all of them, `secrets` only those it names; a blank value falls back to the owner's.",
    policy: { scope: 'manage', notByToken: ['secrets'], rate: 'writes', guests: true },
    input: z
      .object({
        username: username(),
        config: optional(plainSettings()).describe("the caller's own settings, by field: they replace all that it had"),
        secrets: optional(settings()).describe('secrets to set, by field; a blank value removes one'),
        server: optional(label(limits.baseUrlBytes)).meta({
          description:
            'the `server` of getMyBotConfig that the caller has seen; required with a key for an agent that has one, unless the caller is its owner',
        }),
      })
      .superRefine(boundTogether),
    result: MyBotConfig,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  setBotConfig: operation({
    summary:
      "Sets the owner's values of an agent for everyone, which of them others can see, whether the agent is public, who may use the owner's key, and how many tokens it may use.",
    policy: { scope: 'manage', notByToken: ['secrets'], rate: 'writes' },
    input: z
      .object({
        username: username(),
        config: optional(plainSettings()).describe("the owner's settings, by field: they replace all that it had"),
        secrets: optional(settings()).describe('secrets to set, by field; a blank value removes one'),
        show_on_profile: optional(z.array(FieldSpec.shape.key).max(limits.schemaFields)).describe(
          'the fields of `config` that others may see',
        ),
        is_public: optional(z.boolean()).describe('whether anyone can start a chat with it'),
        handles_actions: optional(z.boolean()).meta({
          description:
            'of a bot: whether presses and submitted forms are sent to it as `events.componentAction`, instead of being confirmed by the service. A bot may set this field, and no other, of itself',
        }),
        monthly_token_cap: z
          .number()
          .int()
          .min(0)
          .nullable()
          .optional()
          .meta({ description: 'input and output tokens per UTC month; null removes the cap' }),
        group_monthly_tokens: z.number().int().min(0).nullable().optional().meta({
          description:
            "input and output tokens that may be used in each group on the owner's key per UTC month; null removes the limit",
        }),
        pays_for: optional(paysFor).meta({
          description:
            "who else may use the owner's key: nobody, accounts that share a group with the agent, or everyone",
        }),
        titles: optional(z.boolean()).meta({
          description:
            'whether the agent gives titles to separate chats, with one more request after the first reply; true by default',
        }),
        allowed_models: optional(z.array(modelName()).max(limits.allowedModels)).meta({
          description: "the values of `model` that others may choose when they use the owner's key",
        }),
        asker_daily_tokens: z.number().int().min(0).nullable().optional().meta({
          description:
            "input and output tokens that each other human may use on the owner's key per UTC day; null restores the default",
        }),
      })
      .superRefine(boundTogether),
    result: MyBotConfig,
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  getRunConfig: operation({
    summary:
      'For a bot, within an hour after the message fired it: the settings and secrets of the human who caused that firing.',
    policy: { scope: null, rate: 'none' },
    input: z.object({ message_id: uuid().describe('the message that fired the bot') }),
    result: RunConfig,
    errors: ['not_found', 'forbidden'],
  }),
} as const;
