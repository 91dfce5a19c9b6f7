// What agents have cost their owners.
import getUsage from './getUsage.ts';

export const usageHandlers = { getUsage };
