import { limits } from '@parley/protocol';
import { z } from 'zod';

/** A number of tokens as a vendor tells it; what cannot be one counts as not told, and nothing breaks of it (USAGE-2). */
export const toldCount = z.number().int().nonnegative().max(limits.replyTokens).nullish().catch(undefined);
