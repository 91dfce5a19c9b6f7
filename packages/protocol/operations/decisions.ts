import { z } from 'zod';
import { fits } from '../byte-length.ts';
import { cursor, label, limit, line, optional, text, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { decisionState, FieldSpec, givenFields, Message, MessagesPage } from '../resources.ts';

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;
const isSmall = (value: object): boolean => fits(JSON.stringify(value), limits.formBytes);
const optionId = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 of letters, digits, _, ., : and -')
    .describe('what `decide` names as `option`');

const OptionInput = z.object({
  id: optionId(),
  label: line(4 * limits.decisionLabelCharacters)
    .refine((value) => value.trim() !== '', 'is blank')
    .refine(
      (value) => Array.from(value).length <= limits.decisionLabelCharacters,
      `is longer than ${limits.decisionLabelCharacters} characters`,
    )
    .describe("the option's name for people"),
  style: optional(z.enum(['primary', 'danger'])).describe('how its button looks; absent: like any other'),
});

const decision = { decision_id: uuid().describe('the `id` of the decision') };

export const decisionOperations = {
  askDecision: operation({
    since: 13,
    summary:
      'Asks people to decide: a message with options, a form, or both, which the first of the deciders answers with `decide`. It fires no agent. A form without options has `submit` and `decline`.',
    policy: { scope: null, rate: 'messages', guests: true },
    input: z.object({
      chat_id: uuid(),
      text: text(limits.agentTextBytes)
        .refine((value) => value.trim() !== '', 'is blank')
        .meta({
          description: `the question, as Markdown; at most ${limits.humanTextBytes} bytes from a human`,
          minLength: 1,
        }),
      options: optional(
        z
          .array(OptionInput)
          .min(1)
          .max(limits.decisionOptions)
          .refine((options) => isUnique(options.map(({ id }) => id)), 'has the same id twice'),
      ).describe('what can be chosen, in this order'),
      form: optional(
        z
          .array(FieldSpec)
          .min(1)
          .max(limits.decisionFields)
          .refine((form) => isUnique(form.map(({ key }) => key)), 'has the same key twice')
          .refine(
            (form) => form.every(({ type, options }) => type !== 'select' || (options?.length ?? 0) > 0),
            'has a select without options',
          )
          .refine(isSmall, `is longer than ${limits.formBytes} bytes`),
      ).describe('fields to fill in, whose values go with every option but `decline`'),
      deciders: optional(
        z.union([z.enum(['anyone', 'admins']), z.array(username()).min(1).max(limits.decisionDeciders)]),
      ).describe(
        '`anyone` (default): every person of the conversation; `admins`: owner and admins of the group; otherwise usernames of people who take part',
      ),
      private: optional(z.boolean()).describe(
        'whether the message exists for the named deciders and the caller alone; needs a list of usernames',
      ),
      expires_in: optional(z.number().int().min(limits.decisionSecondsLeast).max(limits.decisionSecondsMost)).meta({
        description: 'seconds until it expires; absent: it does not',
      }),
      reply_to_message_id: optional(uuid()),
      channel_id: optional(uuid()),
      thread_root_id: optional(uuid()),
      client_msg_id: givenFields.client_msg_id,
    }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  decide: operation({
    since: 13,
    summary:
      'Decides an open decision, for people only. The first valid call wins: the same answer of the same person again returns the same Message, anything else is a `conflict` with the outcome as `decision` in its parameters.',
    policy: { scope: null, rate: 'writes', limitedSessions: true },
    input: z.object({
      ...decision,
      option: optional(label(64)).describe('id of the chosen option; may be left out where there is `submit`'),
      fields: optional(
        z.record(z.string(), z.unknown()).refine(isSmall, `is longer than ${limits.formBytes} bytes`),
      ).describe("the form's values by key, of their fields' types"),
    }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  withdrawDecision: operation({
    since: 13,
    summary:
      "Takes back an open decision. Allowed for the account that asked, for an asking agent's owner, and for the owner and admins of the group; never of what the service itself asks for a turn of an agent.",
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object(decision),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  getDecisions: operation({
    since: 13,
    summary:
      'Messages with decisions, newest first: of a person those that it may decide or has asked, of an agent those that it has asked.',
    policy: { scope: null, rate: 'none', limitedSessions: true },
    input: z.object({
      state: optional(decisionState).describe('only decisions in this state'),
      chat_id: optional(uuid()),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: MessagesPage,
    errors: ['not_found', 'forbidden'],
  }),
} as const;
