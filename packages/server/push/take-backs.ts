import type { Clock, Timer } from '../core/clock.ts';
import { Slice } from '../core/slices.ts';
import type { Sql } from '../store/sql.ts';
import type { PushPlatform } from '../store/notifications.ts';
import { accountsWithDue, dueBadges, dueTakeBacks } from '../store/shown-pushes.ts';
import type { Lanes } from './lanes.ts';
import { isLive } from './liveness.ts';
import { serviceOf } from './push-service.ts';

/** Whoever reads on and on: their other devices are told this often. */
export const PACE_MS = 2_000;
/** Conversations times tokens that are taken back at once; the rest is when the account's turn comes again. */
const MOST_AT_ONCE = 500;
/** More accounts than this do not wait for one service; what is due is stored, and waits for the next occasion. */
const MAX_REFUSED = 10_000;
/** Accounts found in one go at the start. */
const PAGE = 1_000;

interface Ports {
  clock: Clock;
  read: Sql;
  isUsable: (platform: PushPlatform) => boolean;
  heardAt: (accountKey: number) => number | null;
  lanes: Pick<Lanes, 'add'>;
}

/** Looks, account by account and at a pace, for what devices are to take back, and puts it into their lanes (PUSH-21). */
export class TakeBacks {
  readonly #ports: Ports;
  readonly #asked = new Set<number>();
  /** Accounts that were looked at a moment ago, and whether they are to be again. */
  readonly #resting = new Map<number, { timer: Timer; isAsked: boolean }>();
  readonly #refused = new Map<string, Set<number>>();
  /** Accounts whose last look found a live socket. At most as many as have one: each is looked at when it closes. */
  readonly #heldBack = new Set<number>();
  #looking: Promise<void> | null = null;
  #isRecovering = false;
  #isClosed = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Nothing is to be done but what waits for its pace. */
  get isIdle(): boolean {
    return this.#looking === null && !this.#isRecovering;
  }

  /** True while take-backs of this account wait for its last socket. */
  isHeldBack(accountKey: number): boolean {
    return this.#heldBack.has(accountKey);
  }

  /** Something of these accounts may be due. */
  ask(accountKeys: Iterable<number>): void {
    if (this.#isClosed) return;
    for (const accountKey of accountKeys) {
      const resting = this.#resting.get(accountKey);
      if (resting) resting.isAsked = true;
      else this.#asked.add(accountKey);
    }
    if (this.#asked.size > 0)
      this.#looking ??= this.#lookAtAll().finally(() => {
        this.#looking = null;
        this.ask([]);
      });
  }

  /** What a former process left. */
  async recover(): Promise<void> {
    const slice = new Slice();
    this.#isRecovering = true;
    try {
      for (let after = 0; !this.#isClosed;) {
        const found = await this.#ports.read.all(accountsWithDue, after, PAGE);
        const last = found.at(-1);
        if (!last) return;
        this.ask(found.map(({ account_key }) => account_key));
        after = last.account_key;
        await slice.pause();
      }
    } finally {
      this.#isRecovering = false;
    }
  }

  /** A service that was full has room. */
  goOn(service: string): void {
    const refused = this.#refused.get(service);
    this.#refused.delete(service);
    if (refused) this.ask(refused);
  }

  /** Looks for nothing any more: what is due is stored, and found by the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#asked.clear();
    for (const { timer } of this.#resting.values()) timer.cancel();
    this.#resting.clear();
    await this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    const slice = new Slice();
    for (const accountKey of this.#asked) {
      this.#asked.delete(accountKey);
      // From before anything is read: who asks meanwhile may mean what was not there yet.
      const timer = this.#ports.clock.setTimer(() => this.#wake(accountKey), PACE_MS);
      this.#resting.set(accountKey, { timer, isAsked: false });
      // What cannot be read now is looked for again.
      if (await this.#lookAt(accountKey).catch(() => true)) this.ask([accountKey]);
      await slice.pause();
    }
  }

  #wake(accountKey: number): void {
    const resting = this.#resting.get(accountKey);
    this.#resting.delete(accountKey);
    if (resting?.isAsked) this.ask([accountKey]);
  }

  /** Answers whether there may be more. */
  async #lookAt(accountKey: number): Promise<boolean> {
    const { read, lanes, isUsable, heardAt, clock } = this.#ports;
    // What is due stays due until the account's last socket has gone.
    if (isLive(heardAt(accountKey), clock.now())) {
      this.#heldBack.add(accountKey);
      return false;
    }
    this.#heldBack.delete(accountKey);
    const due = await read.all(dueTakeBacks, accountKey, MOST_AT_ONCE);
    for (const { token_key: tokenKey, chat_key: chatKey, platform, address } of [
      ...due,
      ...(await read.all(dueBadges, accountKey)),
    ]) {
      if (!isUsable(platform)) continue;
      const service = serviceOf(platform, address);
      if (!lanes.add({ tokenKey, accountKey, service, chatKey, messages: [] })) this.#refuse(service, accountKey);
    }
    return due.length === MOST_AT_ONCE;
  }

  #refuse(service: string, accountKey: number): void {
    let refused = this.#refused.get(service);
    if (!refused) this.#refused.set(service, (refused = new Set()));
    if (refused.size < MAX_REFUSED) refused.add(accountKey);
  }
}
