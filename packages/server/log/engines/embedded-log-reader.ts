import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { eventsBySeq, scanShown, shownBySeq, type ShownEventRow, shownOfScope } from '../../store/log.ts';
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

/** An event's row; `created_at` is null unless a replay needs it. */
type ScopedRow = Omit<ShownEventRow, 'created_at'> & { created_at: number | null };

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
    return isWide(scopes) ?? isMostlyOf(scopes, this.#connection.all(eventsBySeq, after, through, SAMPLE_ROWS));
  }

  #scan(scopes: ReadonlySet<Scope>, { accountKey, after, through, limit }: LogRange): Found {
    const rows: ShownEventRow[] = [];
    let from = after;
    for (let scanned = 0; scanned < SCAN_ROWS;) {
      const size = scanNext({ scanned, found: rows.length, limit });
      const read = this.#connection.all(scanShown, accountKey, from, through, size);
      for (const row of read) {
        if (!scopes.has(row.scope)) continue;
        rows.push(row);
        if (rows.length === limit) return found(rows, row.seq);
      }
      if (read.length < size) return found(rows, through);
      from = read.at(-1)?.seq ?? through;
      scanned += size;
    }
    return found(rows, from);
  }

  /** Merges the events of each scope from the index, and adds those that are not indexed yet. */
  #merge(scopes: ReadonlySet<Scope>, { accountKey, after, through, limit }: LogRange): Found {
    const indexed = Math.min(through, this.#index.indexedThrough);
    const portion = portionOf(scopes, limit);
    let rows: ScopedRow[] = [];
    // A scope with a full portion may have more events, so the result is complete only up to the end of that portion.
    let complete = indexed;
    if (after < indexed)
      for (const scope of scopes) {
        const own = this.#connection.all(shownOfScope, accountKey, scope, after, complete, portion);
        rows.push(...own);
        if (own.length === portion) complete = own.at(-1)?.seq ?? complete;
      }
    rows = rows.filter(({ seq }) => seq <= complete).toSorted((a, b) => a.seq - b.seq);
    if (rows.length > limit) return found(rows.slice(0, limit), rows[limit - 1]?.seq ?? complete);
    if (complete < indexed) return found(rows, complete);
    for (const { seq, scope } of this.#index.tail) {
      if (seq <= after || !scopes.has(scope)) continue;
      if (seq > through) break;
      if (rows.length === limit) return found(rows, seq - 1);
      const row = this.#connection.get(shownBySeq, accountKey, seq);
      if (row) rows.push(row);
    }
    return found(rows, through);
  }
}

function found(rows: readonly ScopedRow[], through: number): Found {
  const events: StoredEvent[] = [];
  const messages = new Map<number, Light<ShownRow>>();
  for (const row of rows) {
    const { seq, scope, ref, params, sender_key, status, marks, record } = row;
    const kind = kindByCode(row.kind);
    if (kind) events.push({ seq, scope, kind, ref, params, createdAt: row.created_at ?? 0 });
    if (ref !== null && sender_key !== null)
      messages.set(ref, { key: ref, sender_key, status, marks, deleted_at: null, record });
  }
  return { events, messages, through };
}
