// The calls of a turn in the memory of the node that runs it, and how its reply shows them.
import { idText } from '../../core/ids.ts';
import type { LiveStream } from '../../replies/live-stream.ts';
import type { Identity } from '../../rules/asking-calls.ts';
import { statusOfCall } from '../../rules/call-results.ts';
import type { CallState } from '../../rules/call-states.ts';
import { isView } from '../../rules/tool-names.ts';
import { callBinding, type KeyRing } from '../../secrets/seal.ts';
import { hasRoom } from '../reply-writer.ts';
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
  /** Its step was stored with it as `sending`: its request is to leave, and has not yet. */
  hasBegun: boolean;
  /** What the server or the service said of it. */
  result: string | null;
  /** What the server needs to go on with it. */
  inputState: string | null;
  durationMs: number | null;
  /** Everybody may see what it was asked and has answered. */
  isShared: boolean;
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
      hasBegun: false,
      result: opened(row.result, 'result'),
      inputState: opened(row.input_state, 'input'),
      durationMs: row.sent_at === null || row.ended_at === null ? null : Math.max(0, row.ended_at - row.sent_at),
      isShared: row.shared === 1,
    };
  });

/** Shows the state of a call in its part of the reply. */
export function showCall(stream: LiveStream, call: TurnCall): void {
  const part = call.part === null ? undefined : stream.partOf(call.part);
  if (part?.type !== 'tool' || !stream.takesText) return;
  const { state, durationMs } = call;
  // A reply that goes on has its parts from before they were shared, or before the call had a result.
  const isLacking = call.isShared && (part.shared !== true || part.output === undefined);
  const output = isView(call) ? null : call.result;
  const contents = isLacking ? sharedFields(JSON.parse(call.arguments), output) : {};
  const shown = { ...part, status: statusOfCall(state), ...(durationMs !== null && { duration_ms: durationMs }) };
  // What has become of the call is in the ledger: a reply that is full must not change it.
  if (!hasRoom(() => stream.putPart({ ...shown, ...contents }))) hasRoom(() => stream.putPart(shown));
}

/** What a part of the reply has of a call that everybody may see (CALL-15). */
export const sharedFields = (input: unknown, output: string | null | undefined) => ({
  shared: true as const,
  ...(input !== undefined && { input }),
  ...(output !== null && output !== undefined && { output }),
});
