// What must hold of a server that counts executions, after kills at random moments: nothing that was approved was executed
// twice or is forgotten, and what is unknown is unknown in truth (CALL-3, CALL-4).
import { idText } from '@parley/server/core/ids.ts';
import { type CallState, isCallOver } from '@parley/server/rules/call-states.ts';
import { statusOfCall } from '@parley/server/rules/call-results.ts';
import type { Message } from '@parley/protocol';
import type { Lane, Task } from './lane.ts';
import { taskEnd } from './tasks.ts';
import type { Execution } from './tool-server-process.ts';

/** How long before a call was sent its server may have been killed, so that the connection broke under it. */
const SLACK_MS = 1_500;

interface CallRow {
  id: Uint8Array;
  tool: string;
  writes: number;
  state: CallState;
  created_at: number;
  sent_at: number | null;
  ended_at: number | null;
}

interface DecisionValue {
  id: string;
  state: string;
  option?: string;
  call?: { call_id: string };
}

export interface Evidence {
  sql: <Row>(sql: string) => Promise<Row[]>;
  lanes: readonly Pick<Lane, 'tasks' | 'answers'>[];
  executions: readonly Execution[];
  /** Moments of kills, and of replies that people have stopped. */
  interruptions: readonly number[];
  /** From each kill until what was killed is back. */
  outages: readonly { from: number; to: number }[];
  /** What models were told, by order. */
  told: ReadonlyMap<string, string>;
}

/** All parts of the reply that show calls. */
const callParts = (reply: Message | undefined) =>
  (reply?.parts ?? []).flatMap((part) => (part.type === 'tool' && part.call_id !== undefined ? [part] : []));

/** Killed again and again, a turn gives up and says so (TURN-3, TURN-19). */
const hasGivenUp = ({ reply }: Task): boolean => reply?.status === 'failed' && reply.finish_reason === 'restart';

/** Returns what is wrong, and how many calls ended in which state. */
export async function judge(evidence: Evidence): Promise<{ wrong: string[]; counts: Record<string, number> }> {
  const { sql, lanes, executions, interruptions, outages, told } = evidence;
  const wrong: string[] = [];
  const rows = await sql<CallRow>(
    'SELECT id, tool, writes, state, created_at, sent_at, ended_at FROM tool_calls ORDER BY key',
  );
  const values = (await sql<{ value: string }>('SELECT value FROM decisions')).map(
    ({ value }) => JSON.parse(value) as DecisionValue, // as stored
  );
  const tasks = lanes.flatMap((lane) => lane.tasks);
  const parts = new Map(
    tasks.flatMap((task) => callParts(task.reply).map((part) => [part.call_id, { part, task }] as const)),
  );
  const wasInterrupted = (from: number, to: number): boolean => interruptions.some((at) => at >= from && at <= to);
  const wasAway = (from: number, to: number): boolean => outages.some((one) => one.from <= to && one.to >= from);
  const carriedOut = Map.groupBy(executions, ({ callId }) => callId);
  const ordered = Map.groupBy(executions, ({ order }) => order);
  const asked = Map.groupBy(values, ({ call }) => call?.call_id);
  const counts: Record<string, number> = {};

  for (const { id: bytes, writes, state, tool, created_at: createdAt, sent_at: sentAt, ended_at: endedAt } of rows) {
    const id = idText(bytes);
    const done = carriedOut.get(id) ?? [];
    const what = `the call ${id} of ${tool} is ${state}, was executed ${done.length} times`;
    counts[state] = (counts[state] ?? 0) + 1;
    if (!isCallOver(state)) wrong.push(`${what}, and is forgotten`);
    const most = state === 'done' || state === 'failed' || state === 'unknown' ? 1 : 0;
    if (done.length > most && (writes === 1 || most === 0)) wrong.push(what);
    if (state === 'done' && (done.length === 0 || done.some(({ fails }) => fails))) wrong.push(what);
    // What the tool itself says has failed; otherwise nothing was carried out.
    if (state === 'failed' && done.some(({ fails }) => !fails) && writes === 1) wrong.push(what);
    const decided = asked.get(id) ?? [];
    const allowed = decided.filter(({ option }) => option === 'once').length;
    if (writes === 1 && most === 1 && done.length > 0 && allowed !== 1) wrong.push(`${what}, allowed ${allowed} times`);
    if (allowed > 0 && (state === 'declined' || state === 'expired')) wrong.push(`${what}, although it was allowed`);
    const { part, task } = parts.get(id) ?? {};
    const mayEnd = task && (task.wasStopped || hasGivenUp(task));
    if (allowed > 0 && state === 'withdrawn' && !mayEnd)
      wrong.push(`${what}, although it was allowed and nobody stopped it`);
    const [from, to] = [(sentAt ?? createdAt) - SLACK_MS, endedAt ?? 0];
    // Of a server that was away when a turn began nothing is offered, and a call of it fails at once.
    const wasToBeSent = sentAt !== null || allowed > 0;
    const isFailedUnsent = state === 'failed' && done.length === 0 && wasToBeSent && !wasAway(from, to);
    if ((state === 'unknown' || isFailedUnsent) && !wasInterrupted(from, to))
      wrong.push(`${what}, but nothing interrupted it between ${sentAt} and ${endedAt}`);
    if (part?.status !== statusOfCall(state)) wrong.push(`${what}, its reply says ${part?.status}`);
    const [order] = done.map((one) => one.order);
    const said = order === undefined ? undefined : told.get(order);
    const says = { done: `${tool} ${order}`, failed: 'failed: ', unknown: 'unknown: ' }[state as string];
    if (said !== undefined && says !== undefined && !said.startsWith(says))
      wrong.push(`${what}, its model heard ${said}`);
  }

  const known = new Set(rows.map(({ id }) => idText(id)));
  for (const [id] of carriedOut) if (!known.has(id)) wrong.push(`${id} was executed, and is in no ledger`);
  for (const [order, all] of ordered)
    if (new Set(all.map(({ callId }) => callId)).size > 1) wrong.push(`${order} was executed by several calls`);
  for (const { id, state, option } of values) {
    if (state === 'open') wrong.push(`the decision ${id} is still open`);
    const won = lanes.map((lane) => lane.answers.get(id)).find((one) => one !== undefined);
    if (won !== undefined && won !== option)
      wrong.push(`${id} was answered with ${won} and is ${state} with ${option}`);
  }
  for (const task of tasks) {
    const { number, reply, wasStopped } = task;
    const isWhole = reply?.status === 'complete' && reply.content === taskEnd(number);
    const gaveUp = hasGivenUp(task);
    if (gaveUp) counts['replies that gave up'] = (counts['replies that gave up'] ?? 0) + 1;
    if (!isWhole && !wasStopped && !gaveUp) wrong.push(`the task ${number} has the reply ${JSON.stringify(reply)}`);
  }
  return { wrong, counts };
}
