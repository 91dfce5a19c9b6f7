import { channel } from 'node:diagnostics_channel';

/**
 * A point that a unit has reached on its way from the frame that asks for it to the sockets that hear of it:
 *
 * - `read`: a socket's frame has arrived; `begun`: the frame is being parsed.
 * - `asked`: the unit is queued; `posted`: it is on its way to the thread of the store.
 * - `arrived` there; `taken` into a batch; `ran`: all units of the batch have run; `committed`.
 * - `returned`: the batch is on the main thread; `settling`: it is on the disk and its events are being published.
 * - `given`: an event of the unit that is settling waits for the sockets of an audience; `sent`: they have been written to.
 *
 * Units are named by the ids of the main thread's queue, and frames and audiences by their objects.
 */
export type UnitPoint =
  | { point: 'read' | 'begun'; frame: object }
  | { point: 'asked' | 'settling'; id: number }
  | { point: 'posted' | 'arrived' | 'taken' | 'ran' | 'committed' | 'returned'; ids: readonly number[] }
  | { point: 'given' | 'sent'; audience: object };

/**
 * The channel `parley:unit` of each thread, to which a tracer subscribes (`npm run bench -- --trace`). While nobody has,
 * a point costs the reading of `hasSubscribers`: callers look at it before they make one.
 */
export const unitPoints = channel('parley:unit');

/** Publishes a point. */
export const reach = (point: UnitPoint): void => unitPoints.publish(point);

/** Runs what begins with a frame; a tracer's AsyncLocalStorage that is bound to the channel has the point in it. */
export const runFrame = <Result>(frame: object, run: () => Result): Result =>
  unitPoints.hasSubscribers ? unitPoints.runStores({ point: 'begun', frame } satisfies UnitPoint, run) : run();
