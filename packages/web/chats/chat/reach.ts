import type { StoredMessage } from '@parley/client/store';

/** Ends of replies that the agent's provider, or the key that paid, is the cause of. */
const causes = new Set([
  'refused_key',
  'no_credit',
  'rate_limited',
  'overloaded',
  'timeout',
  'interrupted',
  'protocol',
]);
/** How long an agent counts as out of reach after such a reply. */
const OUT_OF_REACH_MS = 900_000;

type Reply = Pick<StoredMessage, 'sender' | 'status' | 'finish_reason' | 'created_at' | 'finalized_at'>;

/** Whether the newest message of a direct chat is a reply that could not be made a short while ago. */
export const isOutOfReach = (newest: Reply | undefined, agent: string, nowMs: number): boolean =>
  newest?.sender.username === agent &&
  newest.status === 'failed' &&
  causes.has(newest.finish_reason ?? '') &&
  nowMs - Date.parse(newest.finalized_at ?? newest.created_at) < OUT_OF_REACH_MS;
