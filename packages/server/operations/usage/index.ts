// Token usage of agents, and what it costs.
import getReplyPrices from './getReplyPrices.ts';
import getUsage from './getUsage.ts';

export const usageHandlers = { getReplyPrices, getUsage };
