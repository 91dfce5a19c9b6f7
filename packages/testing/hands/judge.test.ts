import type { Message } from '@parley/protocol';
import { idText } from '@parley/server/core/ids.ts';
import type { CallState } from '@parley/server/rules/call-states.ts';
import { statusOfCall } from '@parley/server/rules/call-results.ts';
import { expect, test } from 'vitest';
import { type Evidence, judge } from './judge.ts';
import { taskEnd } from './tasks.ts';

const bytes = new Uint8Array(16).fill(7);
const id = idText(bytes);
const SENT = 100_000;
const ENDED = 101_000;

/** One call that was allowed, in one task: how it ended, and what happened beside it. */
async function judged(
  state: CallState,
  { wasExecuted = false, wasStopped = false, gaveUp = false, ...more }: Partial<Evidence> & Made = {},
): Promise<string[]> {
  const ended = gaveUp
    ? { status: 'failed', finish_reason: 'restart' }
    : { status: 'complete', content: taskEnd(1), finish_reason: 'stop' };
  // What the judge reads of a reply.
  const reply = { ...ended, parts: [{ type: 'tool', call_id: id, status: statusOfCall(state) }] } as Message;
  const row = { id: bytes, tool: 'pay', writes: 1, state, created_at: SENT, sent_at: SENT, ended_at: ENDED };
  const decision = { id: 'decision', state: 'decided', option: 'once', call: { call_id: id } };
  const { wrong } = await judge({
    sql: async <Row>(sql: string) =>
      (sql.includes('tool_calls') ? [row] : [{ value: JSON.stringify(decision) }]) as Row[], // the two tables that it reads
    lanes: [{ tasks: [{ number: 1, triggerId: '', reply, wasStopped }], answers: new Map() }],
    executions: wasExecuted ? [{ order: '1.0.0', callId: id, tool: 'pay', fails: false }] : [],
    interruptions: [],
    outages: [],
    told: new Map(),
    ...more,
  });
  return wrong;
}

interface Made {
  wasExecuted?: boolean;
  wasStopped?: boolean;
  gaveUp?: boolean;
}

test('CALL-3: the judge of kills finds an allowed call that was forgotten, also one that ended without a reason', async () => {
  expect(await judged('done', { wasExecuted: true })).toEqual([]);
  expect(await judged('approved')).toEqual([expect.stringContaining('is forgotten')]);
  expect(await judged('withdrawn')).toEqual([expect.stringContaining('nobody stopped it')]);
  expect(await judged('withdrawn', { wasStopped: true })).toEqual([]);
  expect(await judged('withdrawn', { gaveUp: true })).toEqual([]);
  const outOfNothing = [expect.stringContaining('nothing interrupted it')];
  expect(await judged('failed')).toEqual(outOfNothing);
  expect(await judged('failed', { outages: [{ from: SENT - 9_000, to: SENT + 1 }] })).toEqual([]);
  expect(await judged('failed', { interruptions: [ENDED - 1] })).toEqual([]);
  expect(await judged('failed', { interruptions: [ENDED + 1], outages: [{ from: 0, to: 1 }] })).toEqual(outOfNothing);
});

test('CALL-4: the judge of kills finds a call that is unknown although nothing interrupted it', async () => {
  expect(await judged('unknown', { interruptions: [SENT + 1] })).toEqual([]);
  expect(await judged('unknown', { outages: [{ from: SENT, to: ENDED }] })).toHaveLength(1);
});
