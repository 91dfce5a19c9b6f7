import { z } from 'zod';
import { cursor, limit, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Price, TokenUsage } from '../resources.ts';

const [isDay, isTime] = [z.iso.date(), z.iso.datetime({ offset: true })];
/** A day, or a time, which stands for its UTC day. */
const isDayOrTime = (value: string): boolean => [isDay, isTime].some((form) => form.safeParse(value).success);
const day = () =>
  optional(
    z
      .string()
      .refine(isDayOrTime, 'must be an ISO 8601 day or time')
      .meta({
        pattern: String.raw`^\d{4}-\d\d-\d\d(T|$)`,
        description: 'an ISO 8601 day or time, which stands for its UTC day',
      }),
  );

export const usageOperations = {
  getUsage: operation({
    summary:
      "Token usage of the caller's agents from one UTC day through another (by default this month), by agent, by the human who caused the replies, and by conversation.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({
      from: day(),
      to: day(),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({
      items: z.array(
        z.object({
          agent: z.string().meta({ description: "the agent's username" }),
          username: z.string().describe('the human who caused the replies'),
          conversation_id: z.uuid(),
          ...TokenUsage.shape,
          owner_key_tokens: z
            .int()
            .meta({ description: "how many of these input and output tokens were used on the owner's key" }),
          replies: z.int().meta({ description: "how many of the agent's replies reported their usage" }),
          prices: z.array(Price).meta({
            description: "what the requests on the owner's key cost, as far as prices are known; one for each currency",
          }),
        }),
      ),
      next_cursor: z.string().optional(),
    }),
    errors: [],
  }),
  getReplyPrices: operation({
    summary:
      'What the caller has paid for replies of agents, as far as prices are known. Messages for which the caller has paid nothing, or that the caller cannot see, are left out.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ message_ids: z.array(uuid()).min(1).max(limits.messageIds) }),
    result: z.object({
      items: z.array(
        z.object({
          message_id: z.uuid(),
          prices: z.array(Price).meta({ description: 'of all requests for the reply; one for each currency' }),
        }),
      ),
    }),
    errors: [],
  }),
} as const;
