// The calls of a turn in the memory of the node that runs it, and how its reply shows them.
import type { Part, PartOf } from '@parley/protocol';
import { idText } from '../../core/ids.ts';
import type { LiveStream } from '../../replies/live-stream.ts';
import type { Identity } from '../../rules/asking-calls.ts';
import { statusOfCall } from '../../rules/call-results.ts';
import type { CallState } from '../../rules/call-states.ts';
import { callBinding, type KeyRing } from '../../secrets/seal.ts';
import type { CallRow } from '../../store/tool-calls.ts';

export interface TurnCall {
  key: number;
  /** As text. */
  id: string;
  step: number;
  modelCall: string;
  part: string | null;
  server: string;
  tool: string;
  identity: Identity;
  writes: boolean;
  isOpenWorld: boolean;
  terms: string;
  /** Canonical JSON. */
  arguments: string;
  state: CallState;
  /** What the server or the service said of it. */
  result: string | null;
  /** What the server needs to go on with it. */
  inputState: string | null;
  durationMs: number | null;
}

/** The calls that a turn has stored. */
export const loadCalls = (rows: readonly CallRow[], keys: KeyRing): TurnCall[] =>
  rows.map((row) => {
    const id = idText(row.id);
    const opened = (sealed: string | null, what: 'arguments' | 'result' | 'input'): string | null =>
      sealed === null ? null : keys.open(sealed, callBinding(id, what));
    const { key, step, part, server, tool, identity, terms, state } = row;
    return {
      key,
      id,
      step,
      modelCall: row.model_call,
      part,
      server,
      tool,
      identity,
      writes: row.writes === 1,
      isOpenWorld: row.open_world === 1,
      terms,
      arguments: opened(row.arguments, 'arguments') ?? '{}',
      state,
      result: opened(row.result, 'result'),
      inputState: opened(row.input_state, 'input'),
      durationMs: row.sent_at === null || row.ended_at === null ? null : Math.max(0, row.ended_at - row.sent_at),
    };
  });

/** Shows the state of a call in its part of the reply. */
export function showCall(stream: LiveStream, { part: id, state, durationMs }: TurnCall): void {
  const part = id === null ? undefined : stream.partOf(id);
  if (part?.type !== 'tool' || !stream.takesText) return;
  stream.putPart(shown(part, state, durationMs));
}

function shown(part: PartOf<'tool'>, state: CallState, durationMs: number | null): Part {
  return { ...part, status: statusOfCall(state), ...(durationMs !== null && { duration_ms: durationMs }) };
}
