import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { nextScopes, scanShown, shownBySeq, type ShownEvent, shownOfScope } from '../../store/log.ts';
import type { Light, ShownRow } from '../../store/messages.ts';
import type { LogRange, StoredEvent, StoredEvents } from '../event-log.ts';
import { kindByCode, type Scope } from '../../core/event-kinds.ts';
import { isMostlyOf, isWide, portionOf, SAMPLE_ROWS, SCAN_ROWS, scanNext } from './reading-plan.ts';

export interface UnindexedEvent {
  seq: number;
  scope: Scope;
}

interface Index {
  /** The last number that is in the index by scope. */
  readonly indexedThrough: number;
  /** The events after that number, in order. */
  readonly tail: readonly UnindexedEvent[];
}

type Found = Omit<StoredEvents, 'isLost'>;

/** Finds stored events by scope. Reads a limited number of rows, however many scopes and events there are (LOG-9). */
export class EmbeddedLogReader {
  readonly #connection: SqliteConnection;
  readonly #index: Index;

  constructor(connection: SqliteConnection, index: Index) {
    this.#connection = connection;
    this.#index = index;
  }

  read(scopes: ReadonlySet<Scope>, range: LogRange): Found {
    return this.#isWide(scopes, range) ? this.#scan(scopes, range) : this.#merge(scopes, range);
  }

  #isWide(scopes: ReadonlySet<Scope>, { after, through }: LogRange): boolean {
    const known = isWide(scopes);
    if (known !== undefined) return known;
    const sample = this.#connection.all(nextScopes, after, through, SAMPLE_ROWS);
    return isMostlyOf(
      scopes,
      sample.map(({ scope }) => scope),
    );
  }

  #scan(scopes: ReadonlySet<Scope>, { accountKey, after, through, limit }: LogRange): Found {
    const rows: ShownEvent[] = [];
    let from = after;
    for (let scanned = 0; scanned < SCAN_ROWS;) {
      const size = scanNext({ scanned, found: rows.length, limit });
      const read = this.#connection.tuples(scanShown, accountKey, from, through, size);
      for (const row of read) {
        if (!scopes.has(row[1])) continue;
        rows.push(row);
        if (rows.length === limit) return found(rows, row[0]);
      }
      if (read.length < size) return found(rows, through);
      from = read.at(-1)?.[0] ?? through;
      scanned += size;
    }
    return found(rows, from);
  }

  /** Merges the events of each scope from the index, and adds those that are not indexed yet. */
  #merge(scopes: ReadonlySet<Scope>, { accountKey, after, through, limit }: LogRange): Found {
    const indexed = Math.min(through, this.#index.indexedThrough);
    const portion = portionOf(scopes, limit);
    let rows: ShownEvent[] = [];
    // A scope with a full portion may have more events, so the result is complete only up to the end of that portion.
    let complete = indexed;
    if (after < indexed)
      for (const scope of scopes) {
        const own = this.#connection.tuples(shownOfScope, accountKey, scope, after, complete, portion);
        rows.push(...own);
        if (own.length === portion) complete = own.at(-1)?.[0] ?? complete;
      }
    rows = rows.filter(([seq]) => seq <= complete).toSorted(([a], [b]) => a - b);
    if (rows.length > limit) return found(rows.slice(0, limit), rows[limit - 1]?.[0] ?? complete);
    if (complete < indexed) return found(rows, complete);
    for (const { seq, scope } of this.#index.tail) {
      if (seq <= after || !scopes.has(scope)) continue;
      if (seq > through) break;
      if (rows.length === limit) return found(rows, seq - 1);
      rows.push(...this.#connection.tuples(shownBySeq, accountKey, seq));
    }
    return found(rows, through);
  }
}

function found(rows: readonly ShownEvent[], through: number): Found {
  const events: StoredEvent[] = [];
  const messages = new Map<number, Light<ShownRow>>();
  for (const [seq, scope, code, ref, params, created_at, sender_key, status, marks, record] of rows) {
    const kind = kindByCode(code);
    if (kind) events.push({ seq, scope, kind, ref, params, createdAt: created_at ?? 0 });
    if (ref !== null && sender_key !== null)
      messages.set(ref, { key: ref, sender_key, status, marks, deleted_at: null, record });
  }
  return { events, messages, through };
}
