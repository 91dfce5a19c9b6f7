import type { ToolStatus } from '@parley/protocol';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { forbidden } from '../../core/errors.ts';
import { statesOf } from '../../rules/call-results.ts';
import type { CallState } from '../../rules/call-states.ts';
import { shownCalls } from '../../store/shown-calls.ts';
import { callRecord, CALLS_SHOWN_MS } from '../../tools/call-records.ts';
import { read } from '../handler.ts';

/** What calls were given and have answered is added to the answer for their asker alone (CALL-14). */
export default read('getToolCalls', async ({ tx, caller, now }, { status, agent_username: agent, limit, cursor }) => {
  if (caller.kind !== 'human') throw forbidden('only people see calls');
  const [before, beforeKey] =
    cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : decodeCursor('toolCalls', cursor, ['number', 'number']);
  const [state, other] = statesIn(status);
  const since = now - CALLS_SHOWN_MS;
  const rows = await tx.all(shownCalls, caller.key, since, before, beforeKey, state, other, agent ?? '', limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => callRecord(row, caller.key)),
    next_cursor: last && encodeCursor('toolCalls', last.created_at, last.key),
  };
});

/** The states in the ledger that are shown as this status; empty: all. */
function statesIn(status: ToolStatus | undefined): [CallState | '', CallState | ''] {
  const [first = '', second = first] = status === undefined ? [] : statesOf(status);
  return [first, second];
}
