import { z } from 'zod';
import { byteLength, fits, optional, TOO_LARGE, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { FieldSpec, MyBotConfig, paysFor, RunConfig } from '../resources.ts';

type Settings = Readonly<Record<string, string>>;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isFieldKey = (key: string): boolean => FieldSpec.shape.key.safeParse(key).success;

/**
 * A map of strings. Which keys and values it may have, the agent's schema says; a key that no schema can have is never
 * repeated in an error: in the place of a secret's name may stand the secret.
 */
const settings = () =>
  z
    .custom<Settings>(isObject, 'must be an object of strings')
    .superRefine((given, context) => {
      // No schema has so many fields: of thousands none is looked at.
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

const modelName = z
  .string()
  .trim()
  .min(1)
  .refine((value) => value.isWellFormed() && !value.includes('\0') && fits(value, limits.settingBytes), 'is no model');

interface Change {
  config?: Settings | undefined;
  secrets?: Settings | undefined;
}

/** Settings that are no secrets: a number or a boolean stands for its text (BOTCONF-3). */
const plainSettings = () =>
  z
    .custom<Readonly<Record<string, string | number | boolean>>>(isObject, 'must be an object of strings')
    .meta({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } })
    .transform((given) =>
      Object.fromEntries(
        Object.entries<unknown>(given).map(([key, value]) => [key, isPlain(value) ? String(value) : value]),
      ),
    )
    .pipe(settings());
const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** Both maps count together; the one is named with which they are too large. */
function boundTogether({ config = {}, secrets = {} }: Change, context: z.core.$RefinementCtx): void {
  let left: number = limits.settingsBytes;
  for (const [field, given] of Object.entries({ config, secrets })) {
    // What is no string has been refused already.
    for (const value of Object.values<unknown>(given)) left -= typeof value === 'string' ? byteLength(value) : 0;
    if (left < 0) return context.addIssue({ code: 'custom', path: [field], message: TOO_LARGE });
  }
  return undefined;
}

export const botConfigOperations = {
  getMyBotConfig: operation({
    summary: "An agent's settings as the caller has them: what there is to set, the owner's values, the caller's own.",
    input: z.object({ username: username() }),
    result: MyBotConfig,
    errors: ['not_found', 'forbidden'],
  }),
  setMyBotConfig: operation({
    summary:
      "Sets what goes before the owner's values for the caller alone. `config` replaces all, `secrets` those it names; a blank value inherits.",
    input: z
      .object({ username: username(), config: optional(plainSettings()), secrets: optional(settings()) })
      .superRefine(boundTogether),
    result: MyBotConfig,
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  setBotConfig: operation({
    summary:
      "The owner's values of an agent for everyone, which of them others see, whether it is public, who may use the owner's key, and how many tokens it may use.",
    input: z
      .object({
        username: username(),
        config: optional(plainSettings()),
        secrets: optional(settings()),
        show_on_profile: optional(z.array(FieldSpec.shape.key).max(limits.schemaFields)),
        is_public: optional(z.boolean()),
        monthly_token_cap: z
          .number()
          .int()
          .min(0)
          .nullable()
          .optional()
          .meta({ description: 'tokens in and out of a UTC month; null removes it' }),
        pays_for: optional(paysFor).meta({
          description: "who else may use the owner's key: nobody, who shares a group with the agent, or everyone",
        }),
        allowed_models: optional(z.array(modelName).max(limits.allowedModels)).meta({
          description: "the values of `model` that others may choose on the owner's key",
        }),
        asker_daily_tokens: z.number().int().min(0).nullable().optional().meta({
          description:
            "tokens in and out that each other human may use of the owner's key in a UTC day; null restores the default",
        }),
      })
      .superRefine(boundTogether),
    result: MyBotConfig,
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  getRunConfig: operation({
    summary:
      'For a bot that the message fired, within an hour: the values, secrets included, of the human at the root of that firing.',
    input: z.object({ message_id: uuid() }),
    result: RunConfig,
    errors: ['not_found', 'forbidden'],
  }),
} as const;
