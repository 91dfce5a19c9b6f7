import { z } from 'zod';
import { cursor, limit, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { TokenUsage } from '../resources.ts';

const [isDay, isTime] = [z.iso.date(), z.iso.datetime({ offset: true })];
/** A day, or a moment, which stands for the UTC day that it is in. */
const isDayOrTime = (value: string): boolean => [isDay, isTime].some((form) => form.safeParse(value).success);
const day = () =>
  optional(
    z
      .string()
      .refine(isDayOrTime, 'is no ISO 8601 day and no time')
      .meta({ description: 'ISO 8601; stands for the whole UTC day' }),
  );

export const usageOperations = {
  getUsage: operation({
    summary:
      "What the caller's agents have used, by agent, by the human at the root of their replies, and by conversation, from one UTC day through another; by default of this month.",
    input: z.object({
      from: day(),
      to: day(),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({
      items: z.array(
        z.object({
          agent: z.string().meta({ description: 'its username' }),
          username: z.string(),
          conversation_id: z.uuid(),
          ...TokenUsage.shape,
          owner_key_tokens: z
            .int()
            .meta({ description: "how many of these tokens, in and out together, were used on the owner's key" }),
          replies: z.int().meta({ description: 'how many of its replies told what they used' }),
        }),
      ),
      next_cursor: z.string().optional(),
    }),
    errors: [],
  }),
} as const;
