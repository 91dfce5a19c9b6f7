import type { Effect, Intent } from '../../effects.ts';
import type { EventKindName } from '../../events/kinds.ts';
import type { Batch, UnitOutcome } from '../../units.ts';

// A batch travels between threads as one flat list: cloning a list of primitives costs a fraction of cloning objects.

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
    for (const effect of outcome.effects)
      if (effect.type === 'event')
        flat.push(effect.seq, effect.scope, effect.kind, effect.ref, effect.timeline, effect.params);
      else flat.push(0, effect);
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
  const effect = (): Effect => {
    const seq = next<number>();
    if (seq === 0) return next<Intent>();
    return {
      type: 'event',
      seq,
      scope: next(),
      kind: next<EventKindName>(),
      ref: next(),
      timeline: next(),
      params: next(),
    };
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
