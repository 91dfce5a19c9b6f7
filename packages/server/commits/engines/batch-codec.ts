import type { Effect, Intent } from '../effects.ts';
import type { EventKindName } from '../../core/event-kinds.ts';
import type { Batch, UnitOutcome } from '../unit-runner.ts';

// A batch is sent between threads as one flat list: cloning a list of primitives costs a fraction of cloning objects.

/** Stands for params that equal those of the previous event. */
const SAME = 0;

/** The result of `encodeBatch`; only this file knows its layout. */
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
      // Equal params, such as those for a thousand new participants, are copied once.
      flat.push(seq, scope, kind, ref, timeline, params === before ? SAME : params);
      before = params;
    }
  }
  return flat;
}

export function decodeBatch(flat: EncodedBatch): Batch {
  let at = 0;
  // The values have the types with which encodeBatch wrote them.
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
