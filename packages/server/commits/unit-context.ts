import type { Effect, Emitted, Intent } from './effects.ts';
import { ServiceError, unavailable } from '../core/errors.ts';
import { type EventKindName, isOfDraft, isRebuilt } from '../core/event-kinds.ts';
import { newIdBytes } from '../core/ids.ts';
import { renderJson } from '../core/json.ts';
import type { UnitCall } from './unit-call.ts';
import type { LockRule } from './unit-locks.ts';
import type { UnitOutcome, UnitRequest } from './unit-runner.ts';

/** The function of a unit, with the locks that it declares; without a declaration it needs `everything`. */
export interface UnitHandler {
  (call: UnitCall, input: unknown, prepared: unknown): unknown;
  readonly locks?: LockRule;
  /** Whether it writes a row of the audit (AUDIT-1). */
  readonly isAudited?: boolean;
}

/** An intent or event of a unit, before its events have numbers. */
export type Left = Intent | (Emitted & { type: 'event'; text: string });

/** A unit that has succeeded, but is not committed yet. */
export interface Done {
  request: UnitRequest;
  /** JSON text. */
  result: string | undefined;
  effects: Left[];
}

/** The call of a unit, and the list that collects its events and intents. */
export function contextOf(
  request: UnitRequest,
  base: Pick<UnitCall, 'tx' | 'accounts' | 'settings' | 'node' | 'inTurn' | 'shutOut'>,
): { call: UnitCall; effects: Left[] } {
  const effects: Left[] = [];
  const { caller, now, address } = request;
  const call: UnitCall = {
    ...base,
    caller,
    now,
    address,
    newId: () => newIdBytes(now),
    emit: (event) => void effects.push({ type: 'event', ...event, text: renderJson(event.params) }),
    intend: (intent) => void effects.push(intent),
  };
  return { call, effects };
}

export const countEvents = (done: readonly Done[]): number =>
  done.reduce((sum, { effects }) => sum + effects.filter(({ type }) => type === 'event').length, 0);

/** The outcome of a unit; `first` is the number of its first event. */
export function outcomeOf({ request, result, effects }: Done, first: number): UnitOutcome & { ok: true } {
  let same = -1;
  let seq = first;
  const logged = effects.map((effect, at): Effect => {
    if (effect.type !== 'event') return effect;
    const { kind, scope, ref = null, timeline = null, text } = effect;
    if (text === result) same = at;
    seq += 1;
    return { type: 'event', seq: seq - 1, scope, kind, ref, timeline, params: text };
  });
  return { id: request.id, ok: true, result: same >= 0 ? same : result, effects: logged };
}

/** The params that the log stores; null if a replay rebuilds the event. */
export const storedParams = (kind: EventKindName, text: string): string | null =>
  isRebuilt(kind) || isOfDraft(kind) ? null : text;

/** The outcome for a deleted or disabled caller: the same error that its token gets from now on. */
export const goneOutcome = (id: number): UnitOutcome => ({
  id,
  ok: false,
  code: 'unauthenticated',
  message: 'a valid access token is needed',
  parameters: undefined,
});

/** The outcome of a unit that threw. `isOutOfOrder` means that the store failed, and the unit may succeed later. */
export function failedOutcome(id: number, error: unknown, isOutOfOrder: boolean): UnitOutcome {
  const { code, message, parameters } =
    error instanceof ServiceError
      ? error
      : isOutOfOrder
        ? unavailable('the store cannot write; try again')
        : new ServiceError('internal', 'something went wrong');
  return { id, ok: false, code, message, parameters };
}

/**
 * The outcomes of a batch of which nothing is durable: every unit answers 503, even one that had failed with its own
 * error.
 */
export const lostOutcomes = (requests: readonly UnitRequest[], why: string): UnitOutcome[] =>
  requests.map(({ id }) => {
    const { code, message, parameters } = unavailable(why);
    return { id, ok: false, code, message, parameters };
  });

export const COULD_NOT_COMMIT = 'the store could not commit; try again';

export const awaitsElsewhere = (name: string): Error =>
  new Error(`the unit ${name} awaits something other than its transaction`);

export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
