import type { Effect, Intent } from '../effects.ts';
import type { EventKindName } from '../../core/event-kinds.ts';
import type { Batch, UnitOutcome } from '../unit-runner.ts';

// A batch travels between threads as one flat list: cloning a list of primitives costs a fraction of cloning objects.

/** Stands for the params of the event before. */
const SAME = 0;

/** What `encodeBatch` made; nothing else reads or writes it. */
export type EncodedBatch = unknown[];

export function encodeBatch({ outcomes, granted, firstGranted, lastSeq, faults }: Batch): EncodedBatch {
  const flat: unknown[] = [granted, firstGranted, lastSeq, faults, outcomes.length];
  for (const outcome of outcomes) {
    if (!outcome.ok) {
      flat.push(outcome.id, false, outcome.code, outcome.message, outcome.parameters);
      continue;
    }
    flat.push(outcome.id, true, outcome.result, outcome.effects.length);
    let before: string | undefined;
    for (const effect of outcome.effects) {
      if (effect.type !== 'event') {
        flat.push(0, effect);
        continue;
      }
      const { seq, scope, kind, ref, timeline, params } = effect;
      // What a thousand newcomers are told alike is copied once.
      flat.push(seq, scope, kind, ref, timeline, params === before ? SAME : params);
      before = params;
    }
  }
  return flat;
}

export function decodeBatch(flat: EncodedBatch): Batch {
  let at = 0;
  // The places of a flat list have the types that encodeBatch gave them.
  const next = <Value>(): Value => flat[at++] as Value;
  const batch: Batch = {
    granted: next(),
    firstGranted: next(),
    lastSeq: next(),
    faults: next(),
    outcomes: [],
  };
  let before = '';
  const effect = (): Effect => {
    const seq = next<number>();
    if (seq === 0) return next<Intent>();
    const event = { seq, scope: next<number>(), kind: next<EventKindName>(), ref: next<number | null>() };
    const timeline = next<string | null>();
    const params = next<string | typeof SAME>();
    if (params !== SAME) before = params;
    return { type: 'event', ...event, timeline, params: before };
  };
  const outcome = (): UnitOutcome => {
    const id = next<number>();
    if (!next<boolean>()) return { id, ok: false, code: next(), message: next(), parameters: next() };
    const result = next<string | number | undefined>();
    const effects: Effect[] = [];
    for (let left = next<number>(); left > 0; left -= 1) effects.push(effect());
    return { id, ok: true, result, effects };
  };
  for (let left = next<number>(); left > 0; left -= 1) batch.outcomes.push(outcome());
  return batch;
}
