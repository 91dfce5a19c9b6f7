import { type BatchPayload, decodePayload, encodePayload, isEvent, type SharedEvent } from '../batch-payload.ts';
import { isShared } from '../../commits/shared-intents.ts';
import { type Clock, pause, type Timer } from '../../core/clock.ts';
import type { Intent, LoggedEvent } from '../../commits/effects.ts';
import { unavailable } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { Sql } from '../../store/sql.ts';
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
import type { Scope } from '../../core/event-kinds.ts';
import { ClusterLogReader } from './cluster-log-reader.ts';
import { NumberLine } from './number-line.ts';
import { TransientHeads } from './transient-heads.ts';

/** How long the end of a reply waits for numbers, which only a batch of the store can bring. */
const NUMBERS_MS = 5_000;

/** If at least this many calls share a read of the log's head, the next read begins only after a pause. */
const STORM = 4;
const STORM_PAUSE_MS = 50;

interface ClusterLogNeeds {
  node: number;
  read: Sql;
  settings: Pick<Settings, 'missingMs'>;
  /** Measures timeouts of the network in real time, even if a test sets the time of the service. */
  clock: Clock;
  /** Publishes a message to the other nodes. */
  tell: (text: string) => void;
  /** Requests an empty batch, because transient events wait for numbers. */
  nudge: () => void;
  /** Returns false if no account with a live socket here may see the event. */
  publish: (event: PublishedEvent) => boolean;
  /** Called when sockets of this scope have missed the event with this number. */
  skip: (scope: Scope, seq: number) => void;
  /** Called when transient events of other nodes were lost. */
  lost: () => void;
  onFault: (error: unknown) => void;
}

/** Receives the events and intents of other nodes. */
export interface ForeignListener {
  /** Called before an event of another node is published here. Returns false if it must not be published. */
  heard: (event: SharedEvent, node: number) => boolean;
  /** Applies an intent of another node, or one that was read from the store. */
  applyShared: (intent: Intent, node: number) => void;
}

/** Events of other nodes since the start, transient ones included (CLUSTER-54). */
export interface HeardCounts {
  heard: number;
  /** Those that an account with a live socket on this node may see. */
  ofUse: number;
}

const noListener: ForeignListener = { heard: () => true, applyShared: () => {} };

/**
 * The log of several nodes: PostgreSQL assigns the numbers and stores the events, Redis carries them to the other
 * nodes, and each node publishes them in the order of their numbers (CLUSTER-1).
 */
export class ClusterLog implements EventLog {
  readonly #needs: ClusterLogNeeds;
  #listener: ForeignListener = noListener;
  readonly #line: NumberLine;
  readonly #reader: ClusterLogReader;
  readonly #heads: TransientHeads;
  #waiting: Unnumbered[] = [];
  /** Number of transient events that have got numbers, and the callers that wait until it reaches `count`. */
  #numbered = 0;
  #untilNumbered: { count: number; resolve: () => void; timer: Timer }[] = [];
  /** Number of waiting transient events for which a running batch takes numbers. */
  #promised = 0;
  /** The next read of the log's head, the number of callers that share it, and what must end before it begins. */
  #nextLook: Promise<void> | null = null;
  #asking = 0;
  #beforeLook: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();
  /** True while a batch is applied whose numbers were already read from the store. */
  #isPassed = false;

  /** `position`: the log's head at the start; the node has read its state at or after this point. */
  constructor(position: number, needs: ClusterLogNeeds) {
    this.#needs = needs;
    this.#reader = new ClusterLogReader(needs.read);
    this.#heads = new TransientHeads(position);
    this.#line = new NumberLine(position, {
      clock: needs.clock,
      patienceMs: needs.settings.missingMs,
      fill: (after, through, isDue) => this.#fill(after, through, isDue),
      onFault: needs.onFault,
    });
  }

  /** Called once, before the first message of another node. */
  listen(listener: ForeignListener): void {
    this.#listener = listener;
  }

  get published(): number {
    return this.#line.position;
  }

  get highest(): number {
    return this.#line.position;
  }

  get starved(): boolean {
    return this.#waiting.length > 0 || this.#line.isBehind;
  }

  readonly counts: HeardCounts = { heard: 0, ofUse: 0 };

  /** Gives this node's batches numbers to take for waiting transient events. */
  readonly grants = {
    /**
     * Only one batch at a time takes numbers: the order of the numbers of two batches is unknown until both have ended.
     */
    take: (): number => {
      if (this.#promised > 0) return 0;
      this.#promised = this.#waiting.length;
      return this.#promised;
    },
    giveBack: (): void => {
      this.#promised = 0;
      if (this.#waiting.length > 0) this.#needs.nudge();
    },
  };

  /** Takes a message of another node. */
  hear(text: string): void {
    const payload = decodePayload(text);
    this.#line.offer({
      first: payload.first,
      last: payload.last,
      isOwn: false,
      apply: () => this.#applyHeard(payload),
      passed: () => {},
    });
  }

  /** Notes that numbers up to `seq` are committed. After `patienceMs` those still missing are read from the store. */
  knows(seq: number, patienceMs?: number): void {
    this.#line.expect(seq, patienceMs);
  }

  takeBatch(batch: Batch, apply: (outcomeIndex: number) => void): void {
    const applyAll = (): void => {
      for (let at = 0; at < batch.outcomes.length; at += 1) apply(at);
    };
    if (batch.lastSeq === 0) return applyAll();
    const granted = this.#waiting.splice(0, batch.granted);
    if (granted.length > 0) {
      this.#promised = 0;
      this.#numbered += granted.length;
      this.#tellNumbered();
      if (this.#waiting.length > 0) this.#needs.nudge();
    }
    const transient = granted.map((event, at) => ({ event, seq: batch.firstGranted + at }));
    this.#tell(batch, transient);
    this.#line.offer({
      first: batch.firstGranted,
      last: batch.lastSeq,
      isOwn: true,
      apply: () => {
        for (const { event, seq } of transient)
          if (typeof event === 'function') event(seq);
          else this.#publishOwn(event, seq);
        applyAll();
      },
      passed: () => {
        for (const { event } of transient) if (typeof event === 'function') event(null);
        // The batch's events and kept intents were already read from the store.
        this.#isPassed = true;
        applyAll();
        this.#isPassed = false;
      },
    });
    return undefined;
  }

  takesIntent(intent: Intent): boolean {
    return !this.#isPassed || !isShared(intent) || intent.type === 'openStream';
  }

  publishLogged(event: LoggedEvent): void {
    const { seq, scope, kind, params, timeline, exceptSocket } = event;
    if (this.#isPassed) return;
    this.#heads.stored(scope, kind);
    this.#needs.publish({ seq, scope, kind, params, timeline, draft: 0, except: 0, exceptSocket });
  }

  publishTransient(event: TransientEvent): void {
    this.#waiting.push(event);
    this.#needs.nudge();
  }

  takeNumber(taker: NumberTaker): void {
    if (this.#closing.signal.aborted) return taker(null);
    this.#waiting.push(taker);
    return this.#needs.nudge();
  }

  /**
   * Resolves when the events that wait now have numbers. Several batches run at once, and any of them may bring these.
   */
  numbered(): Promise<void> | undefined {
    if (this.#waiting.length === 0 || this.#numbered === Infinity) return undefined;
    const count = this.#numbered + this.#waiting.length;
    return new Promise((resolve, reject) => {
      const timer = this.#needs.clock.setTimer(() => {
        this.#untilNumbered = this.#untilNumbered.filter((one) => one.timer !== timer);
        reject(unavailable('the store does not answer; try again'));
      }, NUMBERS_MS);
      this.#untilNumbered.push({ count, resolve, timer });
    });
  }

  /** All callers that wait at the same time share one read of the log's head, which begins after their calls. */
  catchUp(): Promise<void> {
    this.#asking += 1;
    return (this.#nextLook ??= this.#look());
  }

  async headOf(scopes: ReadonlySet<Scope>, through: number): Promise<ScopeHead> {
    return this.#raised(scopes, await this.#reader.headOf(scopes, through));
  }

  async standingOf(accountKey: number, through: number): Promise<Standing> {
    const { scopes, head } = await this.#reader.standingOf(accountKey, through);
    return { scopes, head: this.#raised(scopes, head) };
  }

  #raised(scopes: ReadonlySet<Scope>, head: ScopeHead): ScopeHead {
    for (const scope of scopes) this.#heads.raise(head, scope);
    return head;
  }

  read(scopes: ReadonlySet<Scope>, range: LogRange): Promise<StoredEvents> {
    return this.#reader.read(scopes, range);
  }

  close(): void {
    this.#numbered = Infinity;
    this.#tellNumbered();
    this.#closing.abort();
    for (const one of this.#waiting.splice(0)) if (typeof one === 'function') one(null);
    this.#line.close();
  }

  #tellNumbered(): void {
    for (let [first] = this.#untilNumbered; first && first.count <= this.#numbered; [first] = this.#untilNumbered) {
      this.#untilNumbered.shift();
      first.timer.cancel();
      first.resolve();
    }
  }

  async #look(): Promise<void> {
    await this.#beforeLook;
    this.#nextLook = null;
    const isStorm = this.#asking >= STORM;
    this.#asking = 0;
    const look = this.#reader.head().then((head) => this.#line.reach(head));
    const rest = isStorm ? pause(this.#needs.clock, STORM_PAUSE_MS, this.#closing.signal) : undefined;
    this.#beforeLook = Promise.allSettled([look, rest]);
    return look;
  }

  #tell(batch: Batch, transient: readonly { event: Unnumbered; seq: number }[]): void {
    const shared: (SharedEvent | Intent)[] = [];
    for (const { event, seq } of transient) {
      // A number that was taken has no event.
      if (typeof event === 'function' || event.isVoid?.()) continue;
      const { scope, kind, params, except, hiddenFrom, timeline, draft, standsFor, ref, asker } = event;
      shared.push({
        seq,
        scope,
        kind,
        params,
        isTransient: true,
        ...(except && { except }),
        ...(hiddenFrom && { hiddenFrom }),
        ...(timeline ? { timeline } : {}),
        ...(draft && { draft }),
        ...(standsFor && { standsFor }),
        ...(ref && { ref }),
        ...(asker && { asker }),
      });
    }
    for (const outcome of batch.outcomes) {
      if (!outcome.ok) continue;
      for (const effect of outcome.effects) {
        if (effect.type === 'event') {
          const { seq, scope, kind, params, timeline } = effect;
          shared.push({ seq, scope, kind, params, ...(timeline !== null && { timeline }) });
        } else if (isShared(effect)) shared.push(effect);
      }
    }
    const { firstGranted: first, lastSeq: last } = batch;
    this.#needs.tell(encodePayload({ node: this.#needs.node, first, last, told: shared }));
  }

  #publishOwn(event: TransientEvent, seq: number): void {
    const { scope, kind, standsFor = 0, onSeq, isVoid } = event;
    if (isVoid?.()) return;
    this.#heads.transient(scope, kind, seq, standsFor);
    onSeq?.(seq);
    this.#needs.publish(published(event, seq));
  }

  #applyHeard({ node, told }: BatchPayload): void {
    for (const one of told)
      try {
        if (isEvent(one)) this.#publishHeard(one, node);
        else this.#listener.applyShared(one, node);
      } catch (error) {
        // A failing event or intent must not stop the following ones.
        this.#needs.onFault(error);
      }
  }

  #publishHeard(event: SharedEvent, node: number): void {
    this.counts.heard += 1;
    if (!this.#listener.heard(event, node)) return;
    const { seq, scope, kind, standsFor = 0, isTransient } = event;
    if (isTransient) this.#heads.transient(scope, kind, seq, standsFor);
    else this.#heads.stored(scope, kind);
    if (this.#needs.publish(published(event, seq))) this.counts.ofUse += 1;
  }

  /** Reads missing numbers from the store: applies their intents, and reports their events as missed (CLUSTER-2). */
  async #fill(after: number, through: number, isDue: () => boolean): Promise<number> {
    const found = await this.#reader.missed(after, through);
    if (!isDue()) return after;
    // Intents first: an account whose join is among them has also missed the events that follow in the conversation.
    for (const { list, node } of found.intents) for (const intent of list) this.#listener.applyShared(intent, node);
    for (const { seq, scope, kind } of found.events) {
      if (kind) this.#heads.stored(scope, kind);
      this.#needs.skip(scope, seq);
    }
    // Numbers without a row belonged to transient events of unknown scope.
    this.#heads.lost(found.through);
    this.#needs.lost();
    return found.through;
  }
}
