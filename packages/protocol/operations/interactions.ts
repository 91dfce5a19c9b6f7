import { z } from 'zod';
import { fits } from '../byte-length.ts';
import { label, line, optional, structuredObject, text, TOO_LARGE, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const access = ['not_found', 'forbidden'] as const;
const chat = { chat_id: uuid() };

/** The values of a form: free-form JSON, bounded in depth and size. */
const formFields = () =>
  structuredObject().refine((value) => fits(JSON.stringify(value), limits.formBytes), {
    message: TOO_LARGE,
    params: { maxBytes: limits.formBytes },
  });

export const interactionOperations = {
  pushAlert: operation({
    summary: 'Sends an alert to one account that shares a conversation with the caller.',
    policy: { scope: 'send', rate: 'writes' },
    input: z.object({
      to_username: username().describe('who receives it'),
      text: text(limits.alertTextBytes)
        .refine((value) => value !== '', { message: 'is empty' })
        .describe('what to show'),
      title: optional(line(limits.titleBytes, 0)).describe('a heading'),
      level: optional(z.enum(['info', 'success', 'error'])).describe('how it looks; `info` by default'),
    }),
    result: null,
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  queryInline: operation({
    summary: 'Asks a bot in the conversation for suggestions; waits up to about 3 seconds for them.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({
      bot_username: username(),
      ...chat,
      query: optional(text(limits.inlineQueryBytes)).describe(
        'what has been typed after the name of the bot; empty by default',
      ),
    }),
    result: z.object({
      results: z
        .array(z.string())
        .describe('texts of messages, one of which the person may send; none if the bot did not answer in time'),
    }),
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  answerInlineQuery: operation({
    summary: "The calling bot's suggestions for a query of `events.inlineQuery`. Can be called once per query.",
    policy: { scope: 'send', rate: 'continuations' },
    input: z.object({
      query_id: uuid(),
      results: optional(z.array(text(limits.inlineResultBytes)).max(limits.inlineResults)).describe(
        'texts of messages, one of which the person may send; none by default',
      ),
    }),
    result: null,
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  sendComponentAction: operation({
    summary: "Presses a button or submits a form in an agent's message; the agent confirms it.",
    policy: { scope: 'send', rate: 'messages', limitedSessions: true },
    input: z.object({
      ...chat,
      message_id: uuid(),
      action: label(limits.actionBytes).describe('the token of the button or form'),
      fields: optional(formFields()).describe('of a form: the submitted values, by field'),
    }),
    result: null,
    errors: [...access, 'too_large'],
  }),
} as const;
