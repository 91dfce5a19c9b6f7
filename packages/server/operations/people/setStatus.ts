import { limits, type Status } from '@parley/protocol';
import { ofCaller } from '../../commits/unit-locks.ts';
import { forbidden, invalid } from '../../core/errors.ts';
import { dropStatus, putStatus, statusOf, statusRecord, type StatusRow } from '../../store/statuses.ts';
import { unit } from '../handler.ts';

const DAY_MS = 86_400_000;

/** Those who show the person's presence learn of a change (STATUS-3). */
export default unit('setStatus', { locks: ofCaller }, async (call, { emoji, text, until }): Promise<Status> => {
  const { tx, caller, now } = call;
  if (caller.kind !== 'human') throw forbidden('an agent has no status');
  const before = (await tx.get(statusOf, caller.key, now)) ?? nothing;
  const given: StatusRow = { emoji: emoji || null, text: text || null, ends_at: endOf(until, now) };
  const isNothing = given.emoji === null && given.text === null;
  const status = isNothing ? nothing : given;
  if (isSame(before, status)) return statusRecord(status);
  if (isNothing) await tx.run(dropStatus, caller.key);
  else await tx.run(putStatus, caller.key, status.emoji, status.text, status.ends_at);
  call.intend({ type: 'statusChanged', accountKey: caller.key });
  return statusRecord(status);
});

const nothing: StatusRow = { emoji: null, text: null, ends_at: null };

const isSame = (one: StatusRow, other: StatusRow): boolean =>
  one.emoji === other.emoji && one.text === other.text && one.ends_at === other.ends_at;

function endOf(until: string | undefined, now: number): number | null {
  if (until === undefined) return null;
  const endsAt = Date.parse(until);
  if (endsAt <= now) throw invalid('until', 'is not in the future');
  if (endsAt > now + limits.statusDays * DAY_MS) throw invalid('until', `is more than ${limits.statusDays} days ahead`);
  return endsAt;
}
