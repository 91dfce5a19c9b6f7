// What the service's own alerts are about, as data: a client words them in its reader's language.
import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { Actor } from './accounts.ts';
import { WebhookFailure } from './webhooks.ts';

const error = {
  code: z.enum(errorCodes).describe('the kind of error'),
  message: z.string().describe('what went wrong, for people'),
};

export const AlertCause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scheduled_failed').describe('a scheduled message could not be sent'), ...error }),
  z.object({
    kind: z.literal('schedule_failed').describe('a schedule could not send its message'),
    state: z.enum(['paused', 'ended']).describe('what the schedule is now'),
    ...error,
  }),
  z.object({ kind: z.literal('reminder_failed').describe('a reminder could not be sent, and was deleted'), ...error }),
  z.object({
    kind: z.literal('agents_left_out').describe('agents did not run for the reader'),
    limit: z
      .enum(['message', 'unprompted', 'waiting'])
      .describe(
        '`message`: of one message and what follows from it; `unprompted`: of what bots of the reader send by themselves; `waiting`: too much of the reader waits for the agents already',
      ),
    agents: z.array(Actor).describe('the first 100 of them'),
    count: z.int().describe('how many there are'),
    per_message: z.int().optional().describe('how many agents one message reaches; absent for `waiting`'),
    in_all: z
      .int()
      .optional()
      .describe('with what follows from the message, or of all unprompted messages in an hour; absent for `waiting`'),
  }),
  z.object({ kind: z.literal('stop_refused').describe('the reader may not stop the agent in `from`') }),
  z.object({
    kind: z.literal('webhook_disabled').describe('an address of the reader has not accepted events for three days'),
    host: z.string().describe('the host of the address'),
    failure: z.string().describe('the last error'),
    failure_cause: WebhookFailure.optional().meta({ description: 'the same as data' }),
  }),
  z.object({
    kind: z.literal('budget_nearly_used').describe('a budget of the agent in `from` is used up to 80% or more'),
    budget: z
      .enum(['agent', 'group', 'asker'])
      .describe('of the agent in a month, of a group in a month, or of the reader in a day'),
    used: z.int().optional().describe('tokens used so far; for the owner alone'),
    tokens: z.int().optional().describe('tokens that the budget allows; for the owner alone'),
    group: z.string().optional().describe('the group’s title, if the reader takes part there'),
  }),
]);

export type AlertCause = z.output<typeof AlertCause>;
