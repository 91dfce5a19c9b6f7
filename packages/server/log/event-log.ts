// log/: the update log, caps, and the hub that turns events into frames. Imports commits and below.
import type { Intent, LoggedEvent } from '../commits/effects.ts';
import type { ShownRow } from '../store/messages.ts';
import type { Awaitable } from '../store/sql.ts';
import type { Batch } from '../commits/unit-runner.ts';
import type { EventKindName, Scope, TimelineId } from '../core/event-kinds.ts';

/** An event that is in no table: a delta, a snapshot, typing. It lives as long as the frames it becomes. */
export interface TransientEvent {
  scope: Scope;
  kind: EventKindName;
  /** JSON text. */
  params: string;
  /** An account that does not get it. */
  except?: number;
  /** The timeline of a draft, for sockets that look at one alone. */
  timeline?: TimelineId | null;
  /** The message of a draft. */
  draft?: number;
  /** Classes of events that nobody listens to, and that it stands for: their heads count it too. */
  standsFor?: number;
  /** Told its number when it is published. */
  onSeq?: (seq: number) => void;
  /** The conversation that an inline query is about, and who asks. */
  ref?: number;
  asker?: number;
  /** Asked when its turn comes: true where what it tells of has ended meanwhile. */
  isVoid?: () => boolean;
}

/** An event on its way to the sockets. */
export interface PublishedEvent {
  seq: number;
  scope: Scope;
  kind: EventKindName;
  params: string;
  except: number;
  /** Null for what is not about a draft. */
  timeline: TimelineId | null;
  /** The message of a draft that is written already; 0 for everything else. */
  draft: number;
  /** Id of a socket that does not get it. */
  exceptSocket?: string | undefined;
}

/** A stored event as a replay reads it. */
export interface StoredEvent {
  seq: number;
  scope: Scope;
  kind: EventKindName;
  ref: number | null;
  params: string | null;
  /** 0 for kinds that are rebuilt from `ref`. */
  createdAt: number;
}

/** What one look into the log found. It reads a bounded number of rows: to go on, one asks again behind `through`. */
export interface StoredEvents {
  events: StoredEvent[];
  /** Of the scopes asked for there is nothing else up to here: above the `after` of the question. */
  through: number;
  /** True when events of these scopes with a number above `after` are no longer kept. */
  isLost: boolean;
  /** The messages that the events speak of, as far as the account may see them, by key; null where none were looked for. */
  messages: ReadonlyMap<number, ShownRow> | null;
}

/** A question for stored events: for whom, behind `after` and up to `through`, in order, at most `limit`. */
export interface LogRange {
  accountKey: number;
  after: number;
  through: number;
  limit: number;
}

/** The last numbers of a scope: of events that every socket sees, and of those only some do. */
export interface ScopeHead {
  base: number;
  draft: number;
  delta: number;
  patch: number;
  activity: number;
  ext: number;
}

/** What an account sees: itself, and the conversations it takes part in; and the newest numbers there together. */
export interface Standing {
  scopes: ReadonlySet<Scope>;
  head: ScopeHead;
}

/** The port of the update log. Everything that happened, in one order; who may see it is decided by its scope. */
export interface EventLog {
  /** The number of the last event that was published. */
  readonly published: number;
  /** The last number that was given to anything. */
  readonly highest: number;
  /** True while transient events wait for numbers that only a batch of the store can bring. */
  readonly starved: boolean;
  /** Publishes what a committed batch holds; `apply` does everything of it that is no event. */
  takeBatch(batch: Batch, apply: (outcomeIndex: number) => void): void;
  /** False for what the batch that has its turn has left, and was done already. */
  takesIntent(intent: Intent): boolean;
  /** Publishes an event of the batch that has its turn. */
  publishLogged(event: LoggedEvent): void;
  publishTransient(event: TransientEvent): void;
  /** Resolves when the numbers of all transient events so far are below those of whatever is committed from now on. */
  numbered(): Awaitable<void>;
  /** Resolves when everything that is committed by now, anywhere, is published here; at once where nobody else writes. */
  catchUp(): Awaitable<void>;
  /** The newest numbers in these scopes together, of what is stored no further than `through`. */
  headOf(scopes: ReadonlySet<Scope>, through: number): Awaitable<ScopeHead>;
  /** Where an account stands by what is committed, in one look; its numbers are those of what is stored no further than `through`. */
  standingOf(accountKey: number, through: number): Awaitable<Standing>;
  /** Stored events of these scopes. */
  read(scopes: ReadonlySet<Scope>, range: LogRange): Awaitable<StoredEvents>;
}
