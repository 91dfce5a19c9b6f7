import type { Scope } from '../../core/event-kinds.ts';

// How stored events of a set of scopes are found, on both engines (LOG-9). There are two ways: scan the log by number,
// which suits a set that has a large share of all events, or read a portion of each scope from the index by scope.

/** Maximum number of scopes that are always read from the index. */
const FEW_SCOPES = 3;
/** Maximum number of scopes that may be read from the index; for more, the log is scanned. */
const MANY_SCOPES = 2_000;
/** For numbers of scopes in between, the share of a sample that must belong to them for the log to be scanned. */
const WIDE_SHARE = 0.2;
/** Number of events in the sample. */
export const SAMPLE_ROWS = 200;
/** Maximum events that one scan reads. */
export const SCAN_ROWS = 5_000;
/** Minimum number of events that a scan reads at once when it goes on. */
const MIN_SCANNED = 64;
/** Minimum events per scope that are read from the index. */
const SCOPE_ROWS = 8;

/** Whether to scan the log, judged by the number of scopes; undefined if a sample must decide. */
export function isWide({ size }: ReadonlySet<Scope>): boolean | undefined {
  if (size <= FEW_SCOPES) return false;
  return size > MANY_SCOPES || undefined;
}

/** Whether to scan the log, judged by a sample: the scopes of the next events of the log. */
export const isMostlyOf = (scopes: ReadonlySet<Scope>, sample: readonly Scope[]): boolean =>
  sample.filter((scope) => scopes.has(scope)).length >= sample.length * WIDE_SHARE;

/** How many events of each scope are read from the index for an answer of `limit` events. */
export const portionOf = ({ size }: ReadonlySet<Scope>, limit: number): number =>
  Math.min(limit, Math.max(SCOPE_ROWS, Math.ceil((2 * limit) / size)));

/**
 * How many events a scan reads next: first as many as its answer may have, then as many as probably contain the missing
 * ones, judged by the share of matching events so far.
 */
export function scanNext({ scanned, found, limit }: { scanned: number; found: number; limit: number }): number {
  if (scanned === 0) return limit;
  const share = Math.max(1, found) / scanned;
  return Math.min(SCAN_ROWS - scanned, 2 * limit, MIN_SCANNED + Math.ceil((limit - found) / share));
}
