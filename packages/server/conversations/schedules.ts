// Schedules: texts that the service sends as messages of their account, at the times of a rule (SCHED-1 …). They are rows
// of `scheduled`; the unit that sends a message also moves its row to the next time, so that no crash and no second node
// sends it twice.
import { type Input, limits, type Schedule } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import { requireLater } from '../core/later-time.ts';
import { agentParticipants } from '../store/chats.ts';
import { isWrong, readTimes, type Times, timesAfter } from '../rules/schedule-times.ts';
import { olderEnded, type ScheduledRow, type ScheduleState, setSchedule } from '../store/scheduled.ts';
import { announceScheduled, dropScheduled, type Via } from './scheduled.ts';
import { sendMessage } from './send-message.ts';

/** How long an ended schedule is kept (SCHED-6). */
const KEPT_MS = 30 * 86_400_000;

/** What a schedule stores. */
export type ScheduleInput = Omit<Input<'createSchedule'>, 'chat_id' | 'client_msg_id'> & Via;

// Written by createSchedule.
export const scheduleInputOf = ({ input }: ScheduledRow): ScheduleInput => JSON.parse(input) as ScheduleInput;

/** The times of a `when`; 400 if it is none, or a moment that is not in the next year. */
export function requireTimes(now: number, when: ScheduleInput['when']): Times {
  const times = readTimes(when);
  if (isWrong(times)) throw invalid(`when.${times.field}`, times.message);
  if (times.every === null && when.at !== undefined) requireLater(now, 'when.at', when.at);
  return times;
}

/** The times of a stored schedule, which were read before. */
function timesOf({ when }: ScheduleInput): Times {
  const times = readTimes(when);
  if (isWrong(times)) throw new Error(`a stored schedule ${times.field} ${times.message}`);
  return times;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function scheduleRecord(row: ScheduledRow): Schedule {
  const { via: _via, ...input } = scheduleInputOf(row);
  const state = row.state as ScheduleState; // of a row of this kind
  const upcoming =
    state === 'active'
      ? [row.due_at, ...timesAfter(timesOf(input), row.due_at, limits.upcomingTimes - 1)].map(iso)
      : [];
  return {
    id: idText(row.id),
    chat_id: idText(row.chat_id),
    ...input,
    state,
    next_at: upcoming[0],
    upcoming,
    // Written by `ran`.
    ...(row.last !== null && { last: JSON.parse(row.last) as Schedule['last'] }),
    created_at: iso(row.created_at),
  };
}

/** 400 if the agent that a schedule names does not take part in the conversation. */
export async function requireAgentIn(
  { tx }: Pick<UnitCall, 'tx'>,
  chatKey: number,
  username: string | undefined,
): Promise<void> {
  if (username === undefined) return;
  const agents = await tx.all(agentParticipants, chatKey);
  if (!agents.some((agent) => agent.username === username))
    throw invalid('agent_username', 'names no agent that takes part in this conversation');
}

/** The state of a schedule that goes on at its first time after `after`, or has no time left. */
export function nextOf(row: ScheduledRow, now: number, after: number): Pick<ScheduledRow, 'state' | 'due_at'> {
  const [next] = timesAfter(timesOf(scheduleInputOf(row)), after, 1);
  return next === undefined ? endedAt(now) : { state: 'active', due_at: next };
}

export const endedAt = (now: number) => ({ state: 'ended' as const, due_at: now + KEPT_MS });

/** Stores a schedule's new state; of the account's ended ones the newest stay (SCHED-6). */
export async function changeSchedule(
  call: UnitCall,
  row: ScheduledRow,
  change: Partial<Pick<ScheduledRow, 'state' | 'due_at'>> & { last?: NonNullable<Schedule['last']> },
): Promise<ScheduledRow> {
  const last = change.last === undefined ? row.last : JSON.stringify(change.last);
  const changed = { ...row, ...change, last };
  const state = changed.state as ScheduleState; // of a row of this kind
  await call.tx.run(setSchedule, row.key, state, changed.due_at, last);
  announceScheduled(call, row.account_key, row.chat_id);
  if (state === 'ended')
    for (const older of await call.tx.all(olderEnded, row.account_key, limits.endedSchedules))
      await dropScheduled(call, older);
  return changed;
}

/** Sends the message of a schedule, as a message of the caller by the rules that hold now (SCHED-8). */
export async function sendOfSchedule(call: UnitCall, row: ScheduledRow): Promise<NonNullable<Schedule['last']>> {
  const { text, agent_username: fires, channel_id, thread_root_id, via } = scheduleInputOf(row);
  await requireAgentIn(call, row.chat_key, fires);
  const id = call.newId();
  await sendMessage(
    call,
    { chat_id: idText(row.chat_id), text, channel_id, thread_root_id },
    { id, fires, via, schedule_id: idText(row.id) },
  );
  return { at: iso(call.now), message_id: idText(id) };
}
