import type { Frame } from '@parley/protocol';
import type { Client } from '../client.ts';

/** Messages older than this are not answered. */
export const ANSWERED_WITHIN_MS = 600_000;
/** Log positions in the first step back; each further step is four times as long. */
const FIRST_STEP = 64;
const FRAMES = 20;

/**
 * Returns a log position from before the last ten minutes, so that a daemon receives messages sent while none ran. The
 * log has positions but no times, so this steps back, further each time, until it finds a message that is old enough or
 * the start of the log.
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
