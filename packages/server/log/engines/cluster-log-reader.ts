import type { Intent } from '../../commits/effects.ts';
import {
  eventsOfScopes,
  type HeadRow,
  headsOfAccount,
  headsOfScopes,
  logHead,
  MAX_SCANNED,
  missedEvents,
  missedIntents,
  numbers,
  type PageRow,
  scanEvents,
  trimmedOfScopes,
} from '../../store/engines/postgres-log.ts';
import { accountRecord, type AccountRecordRow } from '../../rendering/accounts.ts';
import { nextScopes } from '../../store/log.ts';
import type { Light, ShownRow } from '../../store/messages.ts';
import type { Sql } from '../../store/sql.ts';
import type { LogRange, ScopeHead, Standing, StoredEvent, StoredEvents } from '../event-log.ts';
import { eventClass, type EventKindName, eventKinds, kindByCode, type Scope } from '../../core/event-kinds.ts';
import { isMostlyOf, isWide, portionOf, SAMPLE_ROWS, SCAN_ROWS } from './reading-plan.ts';
import { noHead } from './transient-heads.ts';

/** Maximum size of a range that is scanned without a sample, because the scan costs less than a sample. */
const SCAN_WITHOUT_SAMPLE = 1_000;
/** Maximum missed events read at once. */
const MISSED_ROWS = 5_000;

/** The stored intents and events of the numbers whose messages over Redis this node has missed. */
interface Missed {
  intents: { list: readonly Intent[]; node: number }[];
  events: { seq: number; scope: Scope; kind: EventKindName | undefined }[];
  through: number;
}

/** Finds stored events on PostgreSQL: reads a limited number of rows, usually with one statement (LOG-9). */
export class ClusterLogReader {
  readonly #read: Sql;

  constructor(read: Sql) {
    this.#read = read;
  }

  async head(): Promise<number> {
    return (await this.#read.get(logHead))?.seq ?? 0;
  }

  async read(scopes: ReadonlySet<Scope>, range: LogRange): Promise<StoredEvents> {
    const { after, through } = range;
    // Most reconnecting clients have missed nothing.
    if (after >= through || scopes.size === 0) return { events: [], through, isLost: false, messages: new Map() };
    const isWide = await this.#isWide(scopes, range);
    const { keptFrom, ...found } = await (isWide ? this.#scan(scopes, range) : this.#merge(scopes, range));
    const isTrimmed =
      after + 1 < keptFrom && ((await this.#read.get(trimmedOfScopes, numbers(scopes)))?.seq ?? 0) > after;
    return { ...found, isLost: isTrimmed };
  }

  async headOf(scopes: ReadonlySet<Scope>, through: number): Promise<ScopeHead> {
    return headIn(await this.#read.all(headsOfScopes, numbers(scopes), through));
  }

  async standingOf(accountKey: number, through: number): Promise<Standing> {
    const rows = await this.#read.all(headsOfAccount, accountKey, through);
    return { scopes: new Set(rows.map(({ scope }) => scope)), head: headIn(rows) };
  }

  /**
   * Reads the events and intents after `after` up to `through`, or only the first of them; they are complete up to the
   * `through` of the result.
   */
  async missed(after: number, through: number): Promise<Missed> {
    const rows = await this.#read.all(missedEvents, after, through, MISSED_ROWS);
    const reached = rows.length === MISSED_ROWS ? (rows.at(-1)?.seq ?? through) : through;
    const kept = await this.#read.all(missedIntents, after, reached);
    return {
      // JSON that this service has written.
      intents: kept.map(({ node_key, intents }) => ({ list: JSON.parse(intents) as Intent[], node: node_key })),
      events: rows.map(({ seq, scope, kind }) => ({ seq, scope, kind: kindByCode(kind) })),
      through: reached,
    };
  }

  async #isWide(scopes: ReadonlySet<Scope>, { after, through }: LogRange): Promise<boolean> {
    const known = isWide(scopes) ?? (through - after <= SCAN_WITHOUT_SAMPLE || undefined);
    if (known !== undefined) return known;
    const sample = await this.#read.all(nextScopes, after, through, SAMPLE_ROWS);
    return isMostlyOf(
      scopes,
      sample.map(({ scope }) => scope),
    );
  }

  async #scan(scopes: ReadonlySet<Scope>, { accountKey, after, through, limit }: LogRange): Promise<Found> {
    const rows = await this.#read.all(scanEvents, accountKey, numbers(scopes), after, through, SCAN_ROWS, limit + 1);
    const { scanned = 0, reached = through } = rows[0] ?? {};
    return found(rows, scanned < SCAN_ROWS ? through : reached, limit);
  }

  async #merge(scopes: ReadonlySet<Scope>, { accountKey, after, through, limit }: LogRange): Promise<Found> {
    const portion = portionOf(scopes, limit);
    const rows = await this.#read.all(eventsOfScopes, accountKey, numbers(scopes), after, through, portion, limit + 1);
    // A scope with a full portion may have more events, so the result is complete only up to the end of that portion.
    let complete = through;
    const counts = new Map<Scope, number>();
    for (const { scope, seq } of rows) {
      if (scope === null || seq === null) continue;
      const count = (counts.get(scope) ?? 0) + 1;
      counts.set(scope, count);
      if (count === portion) complete = Math.min(complete, seq);
    }
    return found(rows, complete, limit);
  }
}

function headIn(rows: readonly HeadRow[]): ScopeHead {
  const head: ScopeHead = { ...noHead };
  for (const { seq, kind: code, trimmed, draft, ext, base, scanned, least } of rows) {
    // The classes of trimmed events are unknown, so they count for all sockets.
    head.base = Math.max(head.base, trimmed);
    if (seq === null || code === null) continue;
    const kind = kindByCode(code);
    // An event of a kind that only a later version knows counts for all sockets; a replay leaves it out.
    if (!kind || eventKinds[kind].class === eventClass.base) head.base = Math.max(head.base, seq);
    head.draft = Math.max(head.draft, draft);
    head.ext = Math.max(head.ext, ext);
    // A head may be too high but never too low: with one too high, a client only asks for updates and gets none.
    head.base = Math.max(head.base, base === 0 && scanned === MAX_SCANNED ? (least ?? 0) : base);
  }
  return head;
}

/** `keptFrom`: events with lower numbers may have been trimmed. */
type Found = Omit<StoredEvents, 'isLost'> & { keptFrom: number };

/** Builds the result from the first `limit` rows; the rows are complete up to the number `complete`. */
function found(rows: readonly PageRow[], complete: number, limit: number): Found {
  const events: StoredEvent[] = [];
  const messages = new Map<number, Light<ShownRow>>();
  const senders = new Map<number, string>();
  const keptFrom = rows[0]?.kept_from ?? 0;
  let through = complete;
  let count = 0;
  for (const row of rows) {
    const { seq, scope, kind: code, ref, params, created_at: createdAt, message_key: key } = row;
    if (seq === null || scope === null || code === null || seq > complete) break;
    if (count === limit) return { events, through, messages, keptFrom };
    count += 1;
    through = seq;
    const kind = kindByCode(code);
    if (kind) events.push({ seq, scope, kind, ref, params, createdAt: createdAt ?? 0 });
    if (key === null) continue;
    const { sender_key, status, marks, record } = row;
    if (row.sender !== null)
      senders.set(sender_key, JSON.stringify(accountRecord(JSON.parse(row.sender) as AccountRecordRow))); // as the statement selects it
    const sender = senders.get(sender_key);
    messages.set(key, {
      key,
      sender_key,
      status,
      marks,
      deleted_at: null,
      record,
      ...(sender && { sender }),
    });
  }
  return { events, through: complete, messages, keptFrom };
}
