// Token usage of agents.
import getUsage from './getUsage.ts';

export const usageHandlers = { getUsage };
