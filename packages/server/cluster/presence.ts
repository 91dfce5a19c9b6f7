import type { Clock, Timer } from '../core/clock.ts';
import type { Calls } from './calls.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Changes that come together are told together: soon, as whoever is greeted here may be asked there at once. */
const GATHER_MS = 5;
const BEAT_MS = 1_000;
/** Every so many beats it is told who was heard from meanwhile: far less than what live means (PUSH-8). */
const BEATS_PER_ROUND = 5;
/** A node would have closed a socket that is silent for so long (SOCKET-8), and told of it. */
const SILENCE_MS = 75_000 + (BEATS_PER_ROUND - 2) * BEAT_MS;

type Heard = [accountKey: number, heardAt: number];

interface News {
  /** Of all accounts with a live socket at the teller's: others have none there. */
  isWhole?: true;
  heard?: Heard[];
  /** When each socket that they have there was opened: of those in `heard` that have changed. */
  opened?: [accountKey: number, ...openedAt: number[]][];
  /** They have no socket there any more. */
  left?: number[];
  /** Sockets that are gone. */
  gone?: [...Heard, isClean: boolean][];
  /** Bots that have made a call there. */
  bots?: number[];
}

/** The sockets of this node: when each account was last heard from, and when its sockets were opened. */
export interface OwnSockets {
  heardAt(accountKey: number): number | null;
  heard(): Iterable<Heard>;
  openedAt(accountKey: number): readonly number[];
}

interface Options {
  calls: Calls;
  connection: RedisConnection;
  clock: Clock;
}

const noSockets: OwnSockets = { heardAt: () => null, heard: () => [], openedAt: () => [] };

/** Which accounts have live sockets on other nodes, as these tell (CLUSTER-23, CLUSTER-24). */
export class PresenceElsewhere {
  readonly #options: Options;
  #own: OwnSockets = noSockets;
  /** node → account → when it was heard from there. */
  readonly #nodes = new Map<number, Map<number, number>>();
  /** node → account → when its sockets there were opened. */
  readonly #opened = new Map<number, Map<number, readonly number[]>>();
  /** What others know of the sockets here. */
  readonly #told = new Map<number, number>();
  readonly #changed = new Set<number>();
  readonly #bots = new Set<number>();
  #gone: [...Heard, isClean: boolean][] = [];
  #gathering: Timer | null = null;
  #beat: Timer | null = null;
  #beats = 0;
  #isClosed = false;
  /** A socket of another node is gone, after a goodbye or not; as `Sockets.onGone`. */
  onGone: (accountKey: number, heardAt: number, isClean: boolean) => void = () => {};
  /** An account has sockets on another node that were not known. */
  onOpened: (accountKey: number) => void = () => {};
  /** A bot has made a call through another node. */
  onBot: (agentKey: number) => void = () => {};

  constructor(options: Options) {
    this.#options = options;
    const { calls, connection } = options;
    // What these names are told with is made here, by this version or another that agrees.
    calls.serve('presence', async (news, from) => this.#hear(from, news as News));
    calls.serve('presenceAsked', async (_, from) => calls.tell(from, 'presence', this.#whole()));
    connection.onUp(() => this.#join());
  }

  /** When an account was last heard from over a socket of another node; null when it has none there. */
  heardAt(accountKey: number): number | null {
    const oldest = this.#options.clock.now() - SILENCE_MS;
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

  /** When the sockets that an account has on other nodes were opened. */
  openedAt(accountKey: number): number[] {
    return [...this.#opened.values()].flatMap((accounts) => accounts.get(accountKey) ?? []);
  }

  /** An account has one more socket here. */
  came(accountKey: number): void {
    this.#changed.add(accountKey);
    this.#gather();
  }

  /** A socket here is gone, and counts no more. */
  went(accountKey: number, heardAt: number, isClean: boolean): void {
    this.#changed.add(accountKey);
    this.#gone.push([accountKey, heardAt, isClean]);
    this.#gather();
  }

  /** A bot has made a call here: others may have its open streams. Told once a second at most. */
  botCalled(agentKey: number): void {
    this.#bots.add(agentKey);
  }

  /** This node is gone, and with it its sockets, without a goodbye. */
  forget(nodeKey: number): void {
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

  /** Tells what is still to be told, and nothing after it. */
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
        this.#told.delete(accountKey);
        left.push(accountKey);
      } else {
        this.#told.set(accountKey, heardAt);
        heard.push([accountKey, heardAt]);
      }
    }
    this.#tell({ heard, opened: this.#openedBy(heard), left, gone });
  }

  #onBeat(): void {
    this.#schedule();
    const bots = [...this.#bots];
    this.#bots.clear();
    this.#beats += 1;
    const heard = this.#beats % BEATS_PER_ROUND === 0 ? this.#heardMeanwhile() : [];
    if (bots.length > 0 || heard.length > 0) this.#tell({ bots, heard });
    this.#dropSilent();
  }

  #heardMeanwhile(): Heard[] {
    const heard: Heard[] = [];
    for (const [accountKey, heardAt] of this.#own.heard()) {
      if (heardAt <= (this.#told.get(accountKey) ?? 0)) continue;
      this.#told.set(accountKey, heardAt);
      heard.push([accountKey, heardAt]);
    }
    return heard;
  }

  /** Of a node that tells nothing any more: its sockets are taken for dead when they would be. */
  #dropSilent(): void {
    const oldest = this.#options.clock.now() - SILENCE_MS;
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

  /** What was told while Redis was away has reached nobody, neither others nor this node. */
  #join(): void {
    const whole = this.#whole();
    for (const [accountKey, heardAt] of whole.heard ?? []) this.#told.set(accountKey, heardAt);
    this.#tell(whole);
    this.#options.calls.tell('all', 'presenceAsked', null);
  }

  #whole(): News {
    const heard = [...this.#own.heard()];
    return { isWhole: true, heard, opened: this.#openedBy(heard) };
  }

  #openedBy(heard: readonly Heard[]): NonNullable<News['opened']> {
    return heard.map(([accountKey]) => [accountKey, ...this.#own.openedAt(accountKey)]);
  }

  #tell(news: News): void {
    this.#options.calls.tell('all', 'presence', news);
  }

  #hear(from: number, { isWhole, heard = [], opened = [], left = [], gone = [], bots = [] }: News): void {
    const accounts = this.#nodes.get(from) ?? new Map<number, number>();
    this.#nodes.set(from, accounts);
    const lost = isWhole ? new Map(accounts) : new Map<number, number>();
    if (isWhole) accounts.clear();
    for (const [accountKey, heardAt] of heard) {
      accounts.set(accountKey, heardAt);
      lost.delete(accountKey);
    }
    for (const accountKey of left) accounts.delete(accountKey);
    this.#hearOpened(from, { isWhole: isWhole === true, opened, left });
    for (const [accountKey, heardAt, isClean] of gone) this.onGone(accountKey, heardAt, isClean);
    // They went while nobody heard of it: nobody knows how.
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
