import type { Schedule } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { account, household } from '../commits/lock-names.ts';
import { internalUnit, type LockRule } from '../commits/unit-locks.ts';
import { dropScheduled, type Failure } from '../conversations/scheduled.ts';
import { changeSchedule, endedAt, nextOf, sendOfSchedule } from '../conversations/schedules.ts';
import { locksToSendAlone } from '../conversations/send-message.ts';
import { accountScope } from '../core/event-kinds.ts';
import { isParticipant } from '../store/chats.ts';
import { type Due, stillDue } from './due-messages.ts';

/** With the username of its account, which is not the caller: it may be disabled. */
type OfAuthor = Due & { username: string };

// Locks the account (what it has scheduled) and the household (its stored bytes).
const ofAuthor: LockRule<OfAuthor> = ({ input }) => [account(input.accountKey), household(input.username)];

/**
 * Runs a schedule that is due; the caller is its account. Several times that were missed run once: the next one is after
 * now, and after this one if the clock was set back (SCHED-9).
 */
export const runDue = internalUnit({ locks: locksToSendAlone }, async (call: UnitCall, due: Due): Promise<void> => {
  const row = await stillDue(call, due, 'active');
  if (!row) return;
  const last = await sendOfSchedule(call, row);
  await changeSchedule(call, row, { ...nextOf(row, call.now, Math.max(call.now, row.due_at)), last });
});

/** Pauses a schedule that could not run, or ends it if its account has left, and alerts the account (SCHED-8). */
export const failRun = internalUnit(
  { locks: ofAuthor },
  async (call: UnitCall, { failure, ...due }: OfAuthor & { failure: Failure }): Promise<void> => {
    const row = await stillDue(call, due, 'active');
    if (!row) return;
    const last: NonNullable<Schedule['last']> = { at: new Date(call.now).toISOString(), error: failure };
    const hasLeft = !(await call.tx.get(isParticipant, row.chat_key, row.account_key));
    await changeSchedule(call, row, { ...(hasLeft ? endedAt(call.now) : { state: 'paused' }), last });
    const state = hasLeft ? 'ended' : 'paused';
    call.emit({
      scope: accountScope(row.account_key),
      kind: 'alert',
      params: {
        title: hasLeft ? 'A schedule has ended' : 'A schedule was paused',
        text: `Reason: ${failure.message}. You find it under Scheduled.`,
        level: 'error',
        cause: { kind: 'schedule_failed', state, ...failure },
      },
    });
  },
);

/** Deletes a schedule that ended 30 days ago (SCHED-6). */
export const dropEnded = internalUnit({ locks: ofAuthor }, async (call: UnitCall, due: OfAuthor): Promise<void> => {
  const row = await stillDue(call, due, 'ended');
  if (row) await dropScheduled(call, row);
});
