// engines/: where the update log is stored. Both engines store events in the transaction of the change they describe.

import type { LoggedEvent } from '../../commits/effects.ts';
import { chatKeysOf } from '../../store/chats.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import {
  eventsBySeq,
  getMeta,
  newestWithoutBoth,
  newestWithoutDrafts,
  newestWithoutExt,
  lastIndexedOfScope,
  oldestScanned,
  lastSeq,
  trimmedOfScope,
} from '../../store/log.ts';
import type { Batch } from '../../commits/unit-runner.ts';
import {
  type EventLog,
  type LogRange,
  published,
  type PublishedEvent,
  type ScopeHead,
  type Standing,
  type StoredEvents,
  type NumberTaker,
  type TransientEvent,
  type Unnumbered,
} from '../event-log.ts';
import {
  eventClass,
  type EventKindName,
  eventKinds,
  kindByCode,
  type Scope,
  scopesOf,
} from '../../core/event-kinds.ts';
import type { CommitPosition } from '../../commits/engines/commit-position.ts';
import type { Sequence } from '../../commits/sequence.ts';
import type { Awaitable } from '../../store/sql.ts';
import { headPlaces, noHead, raiseTo } from './transient-heads.ts';
import { EmbeddedLogReader, type UnindexedEvent } from './embedded-log-reader.ts';

/** Events that are not in the index by scope before the next sorted block is added to it. */
export const INDEX_BLOCK = 2_048;

/** The log in the embedded store: events are rows of the same transaction as the change (LOG-3). */
export class EmbeddedLog implements EventLog {
  published: number;
  keptFrom: number;
  /** The last number that is in the index by scope. */
  indexedThrough: number;
  readonly #connection: SqliteConnection;
  readonly #sequence: Sequence;
  readonly #position: CommitPosition | null;
  readonly #publish: (event: PublishedEvent) => void;
  readonly #heads = new Map<Scope, ScopeHead>();
  /** Events that are not in the index by scope yet. */
  tail: UnindexedEvent[] = [];
  readonly #reader: EmbeddedLogReader;
  #waiting: Unnumbered[] = [];
  #isClosed = false;

  /** `position`: if given, what is read may not be on the disk yet (STORE-13). */
  constructor(
    connection: SqliteConnection,
    sequence: Sequence,
    publish: (event: PublishedEvent) => void,
    position: CommitPosition | null = null,
  ) {
    this.#position = position;
    this.#connection = connection;
    this.#reader = new EmbeddedLogReader(connection, this);
    this.#sequence = sequence;
    this.#publish = publish;
    this.published = sequence.taken;
    this.indexedThrough = Number(connection.get(getMeta, 'events_indexed_through')?.value ?? 0);
    this.keptFrom = Number(connection.get(getMeta, 'events_kept_from')?.value ?? 0);
    const last = connection.get(lastSeq)?.last ?? 0;
    for (const row of connection.all(eventsBySeq, this.indexedThrough, last, INDEX_BLOCK * 64)) {
      this.#note(row.seq, row.scope);
      this.#advance(row.scope, row.kind, row.seq);
    }
  }

  get highest(): number {
    return this.#sequence.taken;
  }

  /** The number of events that are not in the index by scope yet, and the last of their numbers. */
  get unindexed(): { count: number; through: number } {
    return { count: this.tail.length, through: this.tail.at(-1)?.seq ?? this.indexedThrough };
  }

  indexed(through: number): void {
    this.indexedThrough = through;
    this.tail = this.tail.filter(({ seq }) => seq > through);
  }

  takeBatch(batch: Batch, apply: (outcomeIndex: number) => void): void {
    if (batch.granted > 0) this.#publishWaiting(batch.granted, batch.firstGranted);
    for (let at = 0; at < batch.outcomes.length; at += 1) apply(at);
    if (batch.lastSeq > this.published) this.published = batch.lastSeq;
    // If the store is idle, the remaining transient events can take numbers without another batch.
    const waiting = this.#waiting.length;
    if (waiting === 0) return;
    const first = this.#sequence.takeIfIdle(this.published, waiting);
    if (first > 0) this.#publishWaiting(waiting, first);
  }

  takesIntent(): boolean {
    return true;
  }

  publishLogged(event: LoggedEvent): void {
    this.#note(event.seq, event.scope);
    this.#advance(event.scope, eventKinds[event.kind].code, event.seq);
    this.published = event.seq;
    const { seq, scope, kind, params, timeline, exceptSocket } = event;
    this.#publish({ seq, scope, kind, params, timeline, draft: 0, except: 0, exceptSocket });
  }

  publishTransient(event: TransientEvent): void {
    this.#number(event);
  }

  takeNumber(taker: NumberTaker): void {
    if (this.#isClosed) return taker(null);
    return this.#number(taker);
  }

  /** Nothing gets a number any more. */
  close(): void {
    this.#isClosed = true;
    for (const one of this.#waiting.splice(0)) if (typeof one === 'function') one(null);
    this.#sequence.wanted = 0;
  }

  #number(event: Unnumbered): void {
    const seq = this.#waiting.length === 0 ? this.#sequence.takeIfIdle(this.published, 1) : 0;
    if (seq > 0) this.#publishOne(event, seq);
    else {
      this.#waiting.push(event);
      this.#sequence.wanted = this.#waiting.length;
    }
  }

  /** Nothing to wait for: a batch gives waiting transient events lower numbers than its own events. */
  numbered(): void {}

  /** True while transient events wait for numbers that only a batch of the store can bring. */
  get starved(): boolean {
    return this.#waiting.length > 0 && this.#sequence.taken === this.published;
  }

  /** Nothing to catch up with: this process is the only writer. */
  catchUp(): void {}

  headOf(scopes: ReadonlySet<Scope>): ScopeHead {
    const newest: ScopeHead = { ...noHead };
    for (const scope of scopes) {
      raiseTo(newest, this.#headOf(scope));
    }
    return newest;
  }

  standingOf(accountKey: number): Awaitable<Standing> {
    const chats = this.#connection.all(chatKeysOf, accountKey);
    const scopes = scopesOf(
      accountKey,
      chats.map(({ chat_key }) => chat_key),
    );
    const standing = { scopes, head: this.headOf(scopes) };
    return this.#position?.whenFlushed(standing) ?? standing;
  }

  #headOf(scope: Scope): ScopeHead {
    let head = this.#heads.get(scope);
    if (!head) {
      // The classes of trimmed events are unknown, so they count for all sockets.
      const trimmed = this.#connection.get(trimmedOfScope, scope)?.seq ?? 0;
      head = { ...noHead, base: trimmed, draft: trimmed, ext: trimmed };
      const newest = this.#connection.get(lastIndexedOfScope, scope);
      const kind = newest && kindByCode(newest.kind);
      if (newest) raise(head, kind, newest.seq);
      // If only sockets with certain caps receive the newest event, finds the newest events that other sockets receive.
      if (kind && eventKinds[kind].class !== eventClass.base)
        for (const newestWithout of [
          eventKinds[kind].class === eventClass.ext ? newestWithoutExt : newestWithoutDrafts,
          newestWithoutBoth,
        ]) {
          const other = this.#connection.get(newestWithout, scope);
          if (other) raise(head, kindByCode(other.kind), other.seq);
          // A head may be too high but never too low: with one too high, a client only asks for updates and gets none.
          else head.base = Math.max(head.base, this.#connection.get(oldestScanned, scope)?.seq ?? 0);
        }
      this.#heads.set(scope, head);
    }
    return head;
  }

  read(scopes: ReadonlySet<Scope>, range: LogRange): StoredEvents {
    const found = this.#reader.read(scopes, range);
    // Checked after the read, because events may have been trimmed during it.
    return { ...found, isLost: this.#isLost(scopes, range.after) };
  }

  #isLost(scopes: ReadonlySet<Scope>, after: number): boolean {
    if (after + 1 >= this.keptFrom) return false;
    for (const scope of scopes) if ((this.#connection.get(trimmedOfScope, scope)?.seq ?? 0) > after) return true;
    return false;
  }

  #publishWaiting(count: number, first: number): void {
    const ready = this.#waiting.splice(0, count);
    this.#sequence.wanted = this.#waiting.length;
    ready.forEach((event, at) => this.#publishOne(event, first + at));
    this.published = Math.max(this.published, first + count - 1);
  }

  #publishOne(event: Unnumbered, seq: number): void {
    if (typeof event === 'function') {
      this.published = seq;
      return event(seq);
    }
    const { scope, kind, standsFor = 0, onSeq, isVoid } = event;
    this.published = seq;
    if (isVoid?.()) return undefined;
    const classes = eventKinds[kind].class | standsFor;
    const head = this.#headOf(scope);
    for (const [named, place] of headPlaces) if (classes & named) head[place] = seq;
    onSeq?.(seq);
    return this.#publish(published(event, seq));
  }

  #note(seq: number, scope: Scope): void {
    this.tail.push({ seq, scope });
  }

  #advance(scope: Scope, code: number, seq: number): void {
    raise(this.#headOf(scope), kindByCode(code), seq);
  }
}

function raise(head: ScopeHead, kind: EventKindName | undefined, seq: number): void {
  const named = kind && eventKinds[kind].class;
  // An event of a kind that only a later version knows counts for all sockets without caps; a replay leaves it out.
  const place = named === eventClass.base ? 'base' : named === eventClass.ext ? 'ext' : 'draft';
  head[place] = Math.max(head[place], seq);
}
