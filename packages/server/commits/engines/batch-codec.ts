import type { Caller } from '../../access/call.ts';
import type { Effect, Intent } from '../effects.ts';
import type { EventKindName } from '../../core/event-kinds.ts';
import type { Batch, UnitOutcome, UnitRequest } from '../unit-runner.ts';

// Requests and batches are sent between threads as flat lists: cloning a list of primitives costs a fraction of cloning
// objects.

/** The requests of one message; only this file knows their layout. */
export type EncodedRequests = unknown[];

const callerFields = Object.keys({
  key: true,
  ownerKey: true,
  username: true,
  displayName: true,
  kind: true,
  role: true,
  isPending: true,
  lacksFactor: true,
  sessionKey: true,
  limitedUntil: true,
  grant: true,
  isWebhook: true,
} satisfies Record<keyof Caller, true>) as (keyof Caller)[]; // they are its keys

export function encodeRequests(requests: readonly UnitRequest[]): EncodedRequests {
  const flat: unknown[] = [];
  for (const { id, name, caller, input, prepared, now, address } of requests) {
    flat.push(id, name, now, prepared, address);
    for (const field of callerFields) flat.push(caller[field]);
    pushFields(flat, input);
  }
  return flat;
}

export function decodeRequests(flat: EncodedRequests): UnitRequest[] {
  const next = readerOf(flat);
  const requests: UnitRequest[] = [];
  while (next.hasMore()) {
    const [id, name, now, prepared] = [next<number>(), next<string>(), next<number>(), next()];
    const address = next<string | undefined>();
    const caller = nextCaller(next);
    const input = nextFields(next);
    requests.push({ id, name, caller, input, prepared, now, ...(address !== undefined && { address }) });
  }
  return requests;
}

function nextCaller(next: Reader): Caller {
  const caller: Record<string, unknown> = {};
  for (const field of callerFields) {
    const value = next();
    if (value !== undefined) caller[field] = value;
  }
  return caller as unknown as Caller; // the values with which encodeRequests has read it
}

/** Stands for a value that is no plain object, and follows as it is. */
const NO_FIELDS = -1;

function pushFields(flat: unknown[], value: unknown): void {
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || Object.hasOwn(value, '__proto__')) return void flat.push(NO_FIELDS, value);
  const fields = Object.entries(value);
  flat.push(fields.length);
  for (const [field, item] of fields) flat.push(field, item);
}

function nextFields(next: Reader): unknown {
  let left = next<number>();
  if (left === NO_FIELDS) return next();
  const value: Record<string, unknown> = {};
  for (; left > 0; left -= 1) {
    const field = next<string>();
    value[field] = next();
  }
  return value;
}

/** Returns the values one after another, with the types with which they were written. */
interface Reader {
  <Value>(): Value;
  hasMore(): boolean;
}

function readerOf(flat: readonly unknown[]): Reader {
  let at = 0;
  return Object.assign(<Value>(): Value => flat[at++] as Value, { hasMore: () => at < flat.length });
}

/** Stands for params that equal those of the previous event. */
const SAME = 0;
/** In the place of an event's number: an intent as it is, or one of a message, of which nearly every message has one. */
const [ANY_INTENT, CLEAR_TYPING] = [0, -1];

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
      if (effect.type === 'clearTyping') {
        flat.push(CLEAR_TYPING, effect.chatKey, effect.accountKey);
        continue;
      }
      if (effect.type !== 'event') {
        flat.push(ANY_INTENT, effect);
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
  const next = readerOf(flat);
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
    if (seq === ANY_INTENT) return next<Intent>();
    if (seq === CLEAR_TYPING) return { type: 'clearTyping', chatKey: next(), accountKey: next() };
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
