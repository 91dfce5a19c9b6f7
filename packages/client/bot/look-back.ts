import type { Frame } from '@parley/protocol';
import type { Client } from '../client.ts';

/** What is older is not answered any more. */
export const ANSWERED_WITHIN_MS = 600_000;
/** Far enough for a bot that hears little; each step goes four times as far. */
const FIRST_STEP = 64;
const FRAMES = 20;

/**
 * A place in the log from before the last ten minutes, so that what was said while no daemon ran is heard. The log has
 * numbers and no times: steps back, each longer, until something there is old enough, or there is nothing more.
 */
export async function tenMinutesAgo({ call }: Pick<Client, 'call'>, now: number): Promise<number> {
  const { head } = await call('getUpdates', { since: 0, limit: 1 });
  let place = head;
  for (let step = FIRST_STEP; place > 0; step *= 4) {
    const since = Math.max(0, head - step);
    const { frames, truncated } = await call('getUpdates', { since, limit: FRAMES });
    if (truncated) break;
    place = since;
    const at = timeOf(frames);
    if (at !== undefined && now - at > ANSWERED_WITHIN_MS) break;
  }
  return place;
}

function timeOf(frames: readonly Frame[]): number | undefined {
  for (const { method, params } of frames) {
    if (method !== 'events.messageNew' && method !== 'events.messageComplete') continue;
    const at = params['finalized_at'] ?? params['created_at'];
    if (typeof at === 'string') return Date.parse(at);
  }
  return undefined;
}
