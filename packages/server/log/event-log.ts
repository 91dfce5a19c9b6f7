// log/: the update log, caps, and the hub that turns events into frames. Imports commits and below.
import type { Intent, LoggedEvent } from '../commits/effects.ts';
import type { Light, ShownRow } from '../store/messages.ts';
import type { Awaitable } from '../store/sql.ts';
import type { Batch } from '../commits/unit-runner.ts';
import type { EventKindName, Scope, TimelineId } from '../core/event-kinds.ts';

/** An event that is published, but not stored: a delta, a snapshot, typing. */
export interface TransientEvent {
  scope: Scope;
  kind: EventKindName;
  /** JSON text. */
  params: string;
  /** An account that does not receive the event. */
  except?: number;
  /** Further accounts that do not receive the event. */
  hiddenFrom?: readonly number[];
  /** The timeline of an open reply, for sockets with the cap `focus`. */
  timeline?: TimelineId | null;
  /** The message of an open reply. */
  draft?: number;
  /**
   * Other classes of events whose heads this event raises too. No socket receives events of these classes at the
   * moment, so none are published, and this event counts in their place.
   */
  standsFor?: number;
  /** Called with the event's number when it is published. */
  onSeq?: (seq: number) => void;
  /** The conversation and the asker of an inline query. */
  ref?: number;
  asker?: number;
  /** Called before publication; the event is dropped if it returns true, for example because the reply has ended. */
  isVoid?: () => boolean;
}

/**
 * Takes a number for a frame that one socket alone receives (CAPS-9). Called when all lower numbers are published and no
 * higher one is; with null if the number was lost, or the log is closed.
 */
export type NumberTaker = (seq: number | null) => void;

/** What waits for a number that a batch of the store brings. */
export type Unnumbered = TransientEvent | NumberTaker;

/** An event that is published to the sockets. */
export interface PublishedEvent {
  seq: number;
  scope: Scope;
  kind: EventKindName;
  params: string;
  except: number;
  hiddenFrom?: readonly number[] | undefined;
  /** The timeline of an open reply; null for other events. */
  timeline: TimelineId | null;
  /** The message of an open reply; 0 for other events. */
  draft: number;
  /** Id of a socket that does not receive the event. */
  exceptSocket?: string | undefined;
}

type Addressed = Pick<TransientEvent, 'scope' | 'kind' | 'params' | 'except' | 'hiddenFrom' | 'timeline' | 'draft'>;

/** A transient event with its number, as the sockets get it. */
export const published = (
  { scope, kind, params, except = 0, hiddenFrom, timeline = null, draft = 0 }: Addressed,
  seq: number,
): PublishedEvent => ({ seq, scope, kind, params, except, hiddenFrom, timeline, draft });

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

/** The result of one read of the log, which reads a limited number of rows. The next read begins after `through`. */
export interface StoredEvents {
  events: StoredEvent[];
  /** The result is complete up to this number, which is higher than the `after` of the request. */
  through: number;
  /** True if events of these scopes after `after` have been trimmed. */
  isLost: boolean;
  /** The messages of the events that the account may see, by key. */
  messages: ReadonlyMap<number, Light<ShownRow>>;
}

/** Which stored events to read: after `after` up to `through`, at most `limit`. */
export interface LogRange {
  accountKey: number;
  after: number;
  through: number;
  limit: number;
}

/** The newest numbers of a scope: of events that every socket receives (`base`), and of those that depend on caps. */
export interface ScopeHead {
  base: number;
  draft: number;
  delta: number;
  typing: number;
  patch: number;
  activity: number;
  ext: number;
  part: number;
}

/** The scopes of an account, its own and its conversations', with the newest numbers of them all. */
export interface Standing {
  scopes: ReadonlySet<Scope>;
  head: ScopeHead;
}

/** The port of the update log: all events in one order. The scope of an event decides which accounts may see it. */
export interface EventLog {
  /** The number of the last event that was published. */
  readonly published: number;
  /** The last number that was taken. */
  readonly highest: number;
  /** True while transient events wait for numbers that only a batch of the store can bring. */
  readonly starved: boolean;
  /** Publishes a committed batch; `apply` publishes the events and applies the intents of one outcome. */
  takeBatch(batch: Batch, apply: (outcomeIndex: number) => void): void;
  /** False if an intent of the current batch has been applied already, because it was read from the store. */
  takesIntent(intent: Intent): boolean;
  /** Publishes an event of the current batch. */
  publishLogged(event: LoggedEvent): void;
  publishTransient(event: TransientEvent): void;
  /** Gives a number of its own, which belongs to no event, at its place in the order of publication. */
  takeNumber(taker: NumberTaker): void;
  /** Resolves when all transient events so far are certain to get lower numbers than later commits. */
  numbered(): Awaitable<void>;
  /** Resolves when everything that is committed by now, on any node, is published here. */
  catchUp(): Awaitable<void>;
  /** The newest numbers of these scopes together; stored events after `through` do not count. */
  headOf(scopes: ReadonlySet<Scope>, through: number): Awaitable<ScopeHead>;
  /** The committed scopes of an account and their heads, in one read; stored events after `through` do not count. */
  standingOf(accountKey: number, through: number): Awaitable<Standing>;
  /**
   * Reads stored events of these scopes, and their messages as they are now. A single process may return what is not
   * on the disk yet: before any of it leaves the service, its caller waits for the flush, as `dispatch` does (STORE-13).
   */
  read(scopes: ReadonlySet<Scope>, range: LogRange): Awaitable<StoredEvents>;
}
