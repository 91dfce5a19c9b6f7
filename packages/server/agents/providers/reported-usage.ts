import { limits } from '@parley/protocol';
import { z } from 'zod';

/**
 * A number of tokens from a vendor; an implausible value counts as not reported instead of failing the reply (USAGE-2).
 */
export const reportedCount = z.number().int().nonnegative().max(limits.replyTokens).nullish().catch(undefined);

/** The same without a schema: undefined if it is not reported. */
export const countIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= limits.replyTokens ? value : undefined;
