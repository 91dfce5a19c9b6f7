import type { Status } from '@parley/protocol';
import { ofCaller } from '../../commits/unit-locks.ts';
import { forbidden } from '../../core/errors.ts';
import { requireLater } from '../../core/later-time.ts';
import { dropStatus, putStatus, statusOf, type StatusRow } from '../../store/statuses.ts';
import { statusRecord } from '../../rendering/records.ts';
import { unit } from '../handler.ts';

/** Those who show the person's presence learn of a change (STATUS-3). */
export default unit(
  'setStatus',
  { locks: ofCaller, addsData: ({ emoji = '', text = '' }) => emoji !== '' || text.trim() !== '' },
  async (call, { emoji, text, until }): Promise<Status> => {
    const { tx, caller, now } = call;
    if (caller.kind !== 'human') throw forbidden('an agent has no status');
    const before = (await tx.get(statusOf, caller.key, now)) ?? nothing;
    const given: StatusRow = {
      emoji: emoji || null,
      text: text || null,
      ends_at: until === undefined ? null : requireLater(now, 'until', until),
    };
    const isNothing = given.emoji === null && given.text === null;
    const status = isNothing ? nothing : given;
    if (isSame(before, status)) return statusRecord(status);
    if (isNothing) await tx.run(dropStatus, caller.key);
    else await tx.run(putStatus, caller.key, status.emoji, status.text, status.ends_at);
    call.intend({ type: 'statusChanged', accountKey: caller.key });
    return statusRecord(status);
  },
);

const nothing: StatusRow = { emoji: null, text: null, ends_at: null };

const isSame = (one: StatusRow, other: StatusRow): boolean =>
  one.emoji === other.emoji && one.text === other.text && one.ends_at === other.ends_at;
