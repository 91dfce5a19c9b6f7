import { type BatchPayload, decodePayload, encodePayload, isEvent, type ToldEvent } from '../batch-payload.ts';
import { isShared } from '../../commits/shared-intents.ts';
import { type Clock, pause, type Timer } from '../../core/clock.ts';
import type { Intent, LoggedEvent } from '../../commits/effects.ts';
import { unavailable } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { Sql } from '../../store/sql.ts';
import type { Batch } from '../../commits/unit-runner.ts';
import type {
  EventLog,
  LogRange,
  PublishedEvent,
  ScopeHead,
  Standing,
  StoredEvents,
  TransientEvent,
} from '../event-log.ts';
import type { Scope } from '../../core/event-kinds.ts';
import { ClusterLogReader } from './cluster-log-reader.ts';
import { NumberLine } from './number-line.ts';
import { TransientHeads } from './transient-heads.ts';

/** Whoever ends a reply does not wait without end for numbers that no batch can bring. */
const NUMBERS_MS = 5_000;

/** Where so many have asked for one look at the log, the next one begins this much later: a storm needs few. */
const STORM = 4;
const STORM_MS = 50;

interface Ports {
  node: number;
  read: Sql;
  settings: Pick<Settings, 'missingMs'>;
  /** Of the network, not of the service: it runs by itself also where a test moves time. */
  clock: Clock;
  /** Tells the other nodes. */
  tell: (text: string) => void;
  /** Transient events wait for numbers: an empty batch would bring them. */
  nudge: () => void;
  publish: (event: PublishedEvent) => void;
  /** Whoever sees this scope has missed this number. */
  skip: (scope: Scope, seq: number) => void;
  /** Transient events of other nodes are lost. */
  lost: () => void;
  onFault: (error: unknown) => void;
}

/** What happens here with what another node has published. */
export interface ForeignListener {
  /** Takes an event before it is published here; false for an event that is not to be published. */
  heard: (event: ToldEvent, node: number) => boolean;
  /** Takes an intent of another node, or one read from the store. */
  applyShared: (intent: Intent, node: number) => void;
}

const nobody: ForeignListener = { heard: () => true, applyShared: () => {} };

/**
 * The log of several nodes: the store gives the numbers and keeps the events, Redis carries them, and on each node they
 * have their turn in one line (CLUSTER-1).
 */
export class ClusterLog implements EventLog {
  readonly #ports: Ports;
  #listener: ForeignListener = nobody;
  readonly #line: NumberLine;
  readonly #reader: ClusterLogReader;
  readonly #heads: TransientHeads;
  #waiting: TransientEvent[] = [];
  /** Transient events that have their numbers, and who waits until there are so many. */
  #numbered = 0;
  #untilNumbered: { count: number; resolve: () => void; timer: Timer }[] = [];
  /** Of those that wait, how many a batch is bringing numbers for. */
  #promised = 0;
  /** The next look at where the store's log stands, how many wait for it, and what it waits for itself. */
  #nextLook: Promise<void> | null = null;
  #asking = 0;
  #beforeLook: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();
  /** Set while a batch is settled whose numbers the line has passed. */
  #isPassed = false;

  /** `position`: everything up to there is in the store, and known before anything that `hear` is told. */
  constructor(position: number, ports: Ports) {
    this.#ports = ports;
    this.#reader = new ClusterLogReader(ports.read);
    this.#heads = new TransientHeads(position);
    this.#line = new NumberLine(position, {
      clock: ports.clock,
      patienceMs: ports.settings.missingMs,
      fill: (after, through, isDue) => this.#fill(after, through, isDue),
      onFault: ports.onFault,
    });
  }

  /** Called once, before anything of another node is heard. */
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

  /** What the units of this node ask for. */
  readonly grants = {
    /** One batch at a time: of two nobody knows which has the lower numbers until both have ended. */
    take: (): number => {
      if (this.#promised > 0) return 0;
      this.#promised = this.#waiting.length;
      return this.#promised;
    },
    giveBack: (): void => {
      this.#promised = 0;
      if (this.#waiting.length > 0) this.#ports.nudge();
    },
  };

  /** What another node has told. */
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

  /** This number is committed. While Redis is away nothing of it comes by itself. */
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
      if (this.#waiting.length > 0) this.#ports.nudge();
    }
    const transient = granted.map((event, at) => ({ event, seq: batch.firstGranted + at }));
    this.#tell(batch, transient);
    this.#line.offer({
      first: batch.firstGranted,
      last: batch.lastSeq,
      isOwn: true,
      apply: () => {
        for (const { event, seq } of transient) this.#publishOwn(event, seq);
        applyAll();
      },
      passed: () => {
        // It was read from the store meanwhile, here as elsewhere.
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
    this.#ports.publish({ seq, scope, kind, params, timeline, draft: 0, except: 0, exceptSocket });
  }

  publishTransient(event: TransientEvent): void {
    this.#waiting.push(event);
    this.#ports.nudge();
  }

  /** Several batches are under way at once: which of them brings the numbers, and when, is not known before. */
  numbered(): Promise<void> | undefined {
    if (this.#waiting.length === 0 || this.#numbered === Infinity) return undefined;
    const count = this.#numbered + this.#waiting.length;
    return new Promise((resolve, reject) => {
      const timer = this.#ports.clock.setTimer(() => {
        this.#untilNumbered = this.#untilNumbered.filter((one) => one.timer !== timer);
        reject(unavailable('the store gives no numbers; try again'));
      }, NUMBERS_MS);
      this.#untilNumbered.push({ count, resolve, timer });
    });
  }

  /** Everybody who asks at once is answered with one look at the store, which begins after they asked. */
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
    const rest = isStorm ? pause(this.#ports.clock, STORM_MS, this.#closing.signal) : undefined;
    this.#beforeLook = Promise.allSettled([look, rest]);
    return look;
  }

  #tell(batch: Batch, transient: readonly { event: TransientEvent; seq: number }[]): void {
    const told: (ToldEvent | Intent)[] = [];
    for (const { event, seq } of transient) {
      if (event.isVoid?.()) continue;
      const { scope, kind, params, except, timeline, draft, standsFor, ref, asker } = event;
      told.push({
        seq,
        scope,
        kind,
        params,
        isTransient: true,
        ...(except && { except }),
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
          told.push({ seq, scope, kind, params, ...(timeline !== null && { timeline }) });
        } else if (isShared(effect)) told.push(effect);
      }
    }
    const { firstGranted: first, lastSeq: last } = batch;
    this.#ports.tell(encodePayload({ node: this.#ports.node, first, last, told }));
  }

  #publishOwn(event: TransientEvent, seq: number): void {
    const { scope, kind, params, except = 0, timeline = null, draft = 0, standsFor = 0, onSeq, isVoid } = event;
    if (isVoid?.()) return;
    this.#heads.transient(scope, kind, seq, standsFor);
    onSeq?.(seq);
    this.#ports.publish({ seq, scope, kind, params, except, timeline, draft });
  }

  #applyHeard({ node, told }: BatchPayload): void {
    for (const one of told)
      try {
        if (isEvent(one)) this.#publishHeard(one, node);
        else this.#listener.applyShared(one, node);
      } catch (error) {
        // What comes behind it is as good as ever.
        this.#ports.onFault(error);
      }
  }

  #publishHeard(event: ToldEvent, node: number): void {
    if (!this.#listener.heard(event, node)) return;
    const { seq, scope, kind, params, except = 0, timeline = null, draft = 0, standsFor = 0, isTransient } = event;
    if (isTransient) this.#heads.transient(scope, kind, seq, standsFor);
    else this.#heads.stored(scope, kind);
    this.#ports.publish({ seq, scope, kind, params, except, timeline, draft });
  }

  /** What the store knows of numbers that nobody told: who sees it is told that something was missed (CLUSTER-2). */
  async #fill(after: number, through: number, isDue: () => boolean): Promise<number> {
    const found = await this.#reader.missed(after, through);
    if (!isDue()) return after;
    // Who came in meanwhile has missed what was said since, too.
    for (const { list, node } of found.intents) for (const intent of list) this.#listener.applyShared(intent, node);
    for (const { seq, scope, kind } of found.events) {
      if (kind) this.#heads.stored(scope, kind);
      this.#ports.skip(scope, seq);
    }
    // Numbers without a row were of transient events: nobody knows whose.
    this.#heads.lost(found.through);
    this.#ports.lost();
    return found.through;
  }
}
