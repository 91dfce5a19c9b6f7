import type { Scope } from '../../core/event-kinds.ts';

// How stored events of some scopes are found on either engine (LOG-9): a member of much of what happens reads the log
// by number and meets little of others; a member of a small part reads a portion of each scope from its index.

/** So few scopes are read from the scope index in any case; so many never. */
const FEW_SCOPES = 3;
const MANY_SCOPES = 2_000;
/** Of the others the log itself is read if at least this part of what comes next is theirs. */
const WIDE_SHARE = 0.2;
/** Rows by which that is judged. */
export const SAMPLE_ROWS = 200;
/** Rows of the log that one answer looks at, at most. */
export const SCAN_ROWS = 5_000;
/** Rows of each scope that one answer looks at, at least. */
const SCOPE_ROWS = 8;

/** What the number of scopes says; undefined where a sample has to. */
export function isWide({ size }: ReadonlySet<Scope>): boolean | undefined {
  if (size <= FEW_SCOPES) return false;
  return size > MANY_SCOPES || undefined;
}

/** `sample`: the rows that come next, of all scopes. */
export const isMostlyOf = (scopes: ReadonlySet<Scope>, sample: readonly { scope: Scope }[]): boolean =>
  sample.filter(({ scope }) => scopes.has(scope)).length >= sample.length * WIDE_SHARE;

/** Rows of each scope that are read for an answer of so many. */
export const portionOf = ({ size }: ReadonlySet<Scope>, limit: number): number =>
  Math.min(limit, Math.max(SCOPE_ROWS, Math.ceil((2 * limit) / size)));
