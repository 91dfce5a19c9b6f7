import { msSince } from '@parley/protocol/dates';
import type { Clock, Timer } from '../core/clock.ts';
import type { NodeCalls } from './node-calls.ts';
import type { RedisConnection } from './redis-connection.ts';

/**
 * How long changes are collected before they are sent. Short, because another node may ask about a client as soon as it
 * is greeted here.
 */
const GATHER_MS = 5;
const BEAT_MS = 1_000;
/**
 * Number of beats between reports of signs of life: much less than the time for which an account stays live (PUSH-8).
 */
const BEATS_PER_ROUND = 5;
/** When an account has been silent for this long, its node must have closed the socket (SOCKET-8) and reported it. */
const SILENCE_MS = 75_000 + (BEATS_PER_ROUND - 2) * BEAT_MS;

/**
 * Monotonic clocks of nodes that differ by less show the same time: a report takes some milliseconds. Those of nodes that
 * were started before and after the database's clock was set differ by that step (TIME-4).
 */
const LIKE_MS = 2_000;

/** `heardAt` by the clock of the node that reports it. */
type Heard = [accountKey: number, heardAt: number];

interface News {
  /** The sending node's monotonic clock as it sends, to which the times in `heard` and `gone` belong. */
  sentAt?: number;
  /** Lists all accounts with a live socket on the sending node; accounts not listed have none there. */
  isWhole?: true;
  heard?: Heard[];
  /** When each socket on the sending node was opened, for those accounts in `heard` whose sockets have changed. */
  opened?: [accountKey: number, ...openedAt: number[]][];
  /** Accounts that have no socket on the sending node any more. */
  left?: number[];
  /** Sockets that have closed. */
  gone?: [...Heard, isClean: boolean][];
  /** Bots that have called the sending node. */
  bots?: number[];
}

/** The sockets of this node: when each account was last heard from, and when its sockets were opened. */
interface OwnSockets {
  heardAt(accountKey: number): number | null;
  heard(): Iterable<Heard>;
  openedAt(accountKey: number): readonly number[];
}

interface Options {
  calls: NodeCalls;
  connection: RedisConnection;
  clock: Clock;
}

const noSockets: OwnSockets = { heardAt: () => null, heard: () => [], openedAt: () => [] };

/** Which accounts have live sockets on other nodes, as those nodes report (CLUSTER-23, CLUSTER-24). */
export class PresenceElsewhere {
  readonly #options: Options;
  #own: OwnSockets = noSockets;
  /** node → account → when it was heard from there. */
  readonly #nodes = new Map<number, Map<number, number>>();
  /** node → account → when its sockets there were opened. */
  readonly #opened = new Map<number, Map<number, readonly number[]>>();
  /** The sign of life last reported to the other nodes, per account. */
  readonly #reported = new Map<number, number>();
  readonly #changed = new Set<number>();
  readonly #bots = new Set<number>();
  #gone: [...Heard, isClean: boolean][] = [];
  /** Nodes that were given up: what one reports after it wakes up is out of date (CLUSTER-53). */
  readonly #dead = new Set<number>();
  #gathering: Timer | null = null;
  #beat: Timer | null = null;
  #beats = 0;
  #isClosed = false;
  /** Called when a socket on another node has closed, cleanly or not, like `Sockets.onGone`. */
  onGone: (accountKey: number, heardAt: number, isClean: boolean) => void = () => {};
  /** Called when an account has opened sockets on another node. */
  onOpened: (accountKey: number) => void = () => {};
  /** Called when a bot has called another node. */
  onBot: (agentKey: number) => void = () => {};

  constructor(options: Options) {
    this.#options = options;
    const { calls, connection } = options;
    // Only this class sends messages with these names, in this version or a compatible one.
    calls.serve('presence', async (news, from) => this.#hear(from, news as News));
    calls.serve('presenceAsked', async (_, from) => calls.notify(from, 'presence', this.#dated(this.#whole())));
    connection.onUp(() => this.#join());
  }

  /** When an account was last heard from over a socket on another node; null if it has none there. */
  heardAt(accountKey: number): number | null {
    const oldest = this.#options.clock.monotonic() - SILENCE_MS;
    let last: number | null = null;
    for (const accounts of this.#nodes.values()) {
      const heardAt = accounts.get(accountKey);
      if (heardAt !== undefined && heardAt >= oldest && heardAt > (last ?? 0)) last = heardAt;
    }
    return last;
  }

  isLive(accountKey: number): boolean {
    return this.heardAt(accountKey) !== null;
  }

  /** When the account's sockets on other nodes were opened. */
  openedAt(accountKey: number): number[] {
    return [...this.#opened.values()].flatMap((accounts) => accounts.get(accountKey) ?? []);
  }

  /** To be called when an account has opened a socket here. */
  came(accountKey: number): void {
    this.#changed.add(accountKey);
    this.#gather();
  }

  /** To be called when a socket here has closed, and no longer counts as a socket of its account. */
  went(accountKey: number, heardAt: number, isClean: boolean): void {
    this.#changed.add(accountKey);
    this.#gone.push([accountKey, heardAt, isClean]);
    this.#gather();
  }

  /** To be called when a bot calls this node: other nodes may own its open streams. Reported at most once a second. */
  botCalled(agentKey: number): void {
    this.#bots.add(agentKey);
  }

  /** Forgets a dead node: its sockets count as closed uncleanly. */
  forget(nodeKey: number): void {
    this.#dead.add(nodeKey);
    const accounts = this.#nodes.get(nodeKey);
    this.#nodes.delete(nodeKey);
    this.#opened.delete(nodeKey);
    for (const [accountKey, heardAt] of accounts ?? []) this.onGone(accountKey, heardAt, false);
  }

  /** Sends the presence of these sockets to the other nodes from now on. */
  start(own: OwnSockets): void {
    this.#own = own;
    this.#schedule();
  }

  #schedule(): void {
    this.#beat = this.#options.clock.setTimer(() => this.#onBeat(), BEAT_MS);
  }

  /** Reports pending changes, then stops reporting. */
  close(): void {
    this.#isClosed = true;
    this.#beat?.cancel();
    this.#flush();
  }

  #gather(): void {
    if (!this.#isClosed) this.#gathering ??= this.#options.clock.setTimer(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    this.#gathering?.cancel();
    this.#gathering = null;
    const changed = [...this.#changed];
    const gone = this.#gone;
    this.#changed.clear();
    this.#gone = [];
    if (changed.length === 0 && gone.length === 0) return;
    const heard: Heard[] = [];
    const left: number[] = [];
    for (const accountKey of changed) {
      const heardAt = this.#own.heardAt(accountKey);
      if (heardAt === null) {
        this.#reported.delete(accountKey);
        left.push(accountKey);
      } else {
        this.#reported.set(accountKey, heardAt);
        heard.push([accountKey, heardAt]);
      }
    }
    this.#report({ heard, opened: this.#openedBy(heard), left, gone });
  }

  #onBeat(): void {
    this.#schedule();
    const bots = [...this.#bots];
    this.#bots.clear();
    this.#beats += 1;
    const heard = this.#beats % BEATS_PER_ROUND === 0 ? this.#heardSince() : [];
    if (bots.length > 0 || heard.length > 0) this.#report({ bots, heard });
    this.#dropSilent();
  }

  #heardSince(): Heard[] {
    const heard: Heard[] = [];
    for (const [accountKey, heardAt] of this.#own.heard()) {
      if (heardAt <= (this.#reported.get(accountKey) ?? 0)) continue;
      this.#reported.set(accountKey, heardAt);
      heard.push([accountKey, heardAt]);
    }
    return heard;
  }

  /**
   * Counts sockets as closed if their accounts have been silent for so long that a live node would have reported it.
   */
  #dropSilent(): void {
    const oldest = this.#options.clock.monotonic() - SILENCE_MS;
    for (const [nodeKey, accounts] of this.#nodes) {
      for (const [accountKey, heardAt] of accounts) {
        if (heardAt >= oldest) continue;
        accounts.delete(accountKey);
        this.#opened.get(nodeKey)?.delete(accountKey);
        this.onGone(accountKey, heardAt, false);
      }
      if (accounts.size === 0) this.#nodes.delete(nodeKey);
    }
  }

  /** Exchanges the full state, because reports sent while Redis was unavailable were lost in both directions. */
  #join(): void {
    const whole = this.#whole();
    for (const [accountKey, heardAt] of whole.heard ?? []) this.#reported.set(accountKey, heardAt);
    this.#report(whole);
    this.#options.calls.notify('all', 'presenceAsked', null);
  }

  #whole(): News {
    const heard = [...this.#own.heard()];
    return { isWhole: true, heard, opened: this.#openedBy(heard) };
  }

  #openedBy(heard: readonly Heard[]): NonNullable<News['opened']> {
    return heard.map(([accountKey]) => [accountKey, ...this.#own.openedAt(accountKey)]);
  }

  #report(news: News): void {
    this.#options.calls.notify('all', 'presence', this.#dated(news));
  }

  #dated(news: News): News {
    return { ...news, sentAt: this.#options.clock.monotonic() };
  }

  #hear(from: number, { sentAt, isWhole, heard = [], opened = [], left = [], gone = [], bots = [] }: News): void {
    if (this.#dead.has(from)) return;
    const { clock } = this.#options;
    // A node of an earlier version reports dates.
    const differenceMs = msSince(sentAt ?? clock.now(), clock.monotonic());
    const aheadMs = Math.abs(differenceMs) < LIKE_MS ? 0 : differenceMs;
    const accounts = this.#nodes.get(from) ?? new Map<number, number>();
    this.#nodes.set(from, accounts);
    const lost = isWhole ? new Map(accounts) : new Map<number, number>();
    if (isWhole) accounts.clear();
    for (const [accountKey, heardAt] of heard) {
      accounts.set(accountKey, heardAt + aheadMs);
      lost.delete(accountKey);
    }
    for (const accountKey of left) accounts.delete(accountKey);
    this.#hearOpened(from, { isWhole: isWhole === true, opened, left });
    for (const [accountKey, heardAt, isClean] of gone) this.onGone(accountKey, heardAt + aheadMs, isClean);
    // The sockets of these accounts closed while this node was disconnected; whether cleanly is unknown.
    for (const [accountKey, heardAt] of lost) this.onGone(accountKey, heardAt, false);
    for (const agentKey of bots) this.onBot(agentKey);
  }

  #hearOpened(from: number, { isWhole, opened, left }: Required<Pick<News, 'opened' | 'left'>> & { isWhole: boolean }) {
    const accounts = (!isWhole && this.#opened.get(from)) || new Map<number, readonly number[]>();
    this.#opened.set(from, accounts);
    for (const accountKey of left) accounts.delete(accountKey);
    for (const [accountKey, ...openedAt] of opened) accounts.set(accountKey, openedAt);
    for (const [accountKey] of opened) this.onOpened(accountKey);
  }
}
