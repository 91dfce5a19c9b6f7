import type { Clock, Timer } from '../core/clock.ts';
import { Slice } from '../core/slices.ts';
import type { Sql } from '../store/sql.ts';
import type { PushPlatform } from '../store/notifications.ts';
import { accountsDueAmong, accountsWithDue, dueBadges, dueTakeBacks } from '../store/shown-pushes.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import { isLive } from './liveness.ts';
import { serviceOf } from './push-service.ts';

/** Minimum time between two checks of an account; while it keeps reading, its other devices are updated this often. */
export const PACE_MS = 2_000;
/** Maximum take-backs (conversations times tokens) queued per check; the rest follows in the account's next check. */
const MAX_AT_ONCE = 500;
/** Maximum accounts that wait for a full service. Take-backs of further accounts stay stored until their next check. */
const MAX_REFUSED = 10_000;
/** Maximum accounts per query. */
const PAGE = 1_000;

interface TakeBacksNeeds {
  clock: Clock;
  read: Sql;
  isUsable: (platform: PushPlatform) => boolean;
  heardAt: (accountKey: number) => number | null;
  queues: Pick<DeliveryQueues, 'add'>;
}

/** Checks accounts, each at a limited pace, for notifications to take back, and queues those pushes (PUSH-21). */
export class TakeBacks {
  readonly #needs: TakeBacksNeeds;
  readonly #asked = new Set<number>();
  /** Accounts checked a moment ago, and whether to check them again. */
  readonly #resting = new Map<number, { timer: Timer; isAsked: boolean }>();
  readonly #refused = new Map<string, Set<number>>();
  /** Accounts whose last check found a live socket; each is checked again when the socket closes. */
  readonly #heldBack = new Set<number>();
  #checking: Promise<void> | null = null;
  #isRecovering = false;
  #isClosed = false;

  constructor(needs: TakeBacksNeeds) {
    this.#needs = needs;
  }

  /** True if there is nothing to do, except checks that wait for their pace. */
  get isIdle(): boolean {
    return this.#checking === null && !this.#isRecovering;
  }

  /** Whether take-backs of this account wait for its last socket to close. */
  isHeldBack(accountKey: number): boolean {
    return this.#heldBack.has(accountKey);
  }

  /** Requests a check of these accounts. */
  ask(accountKeys: Iterable<number>): void {
    if (this.#isClosed) return;
    for (const accountKey of accountKeys) {
      const resting = this.#resting.get(accountKey);
      if (resting) resting.isAsked = true;
      else this.#asked.add(accountKey);
    }
    if (this.#asked.size > 0)
      this.#checking ??= this.#checkAll().finally(() => {
        this.#checking = null;
        this.ask([]);
      });
  }

  /** Requests a check of all accounts with take-backs left by an earlier process. */
  async recover(): Promise<void> {
    const slice = new Slice();
    this.#isRecovering = true;
    try {
      for (let after = 0; !this.#isClosed;) {
        const found = await this.#needs.read.all(accountsWithDue, after, PAGE);
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

  /** Requests a check of the accounts that a service, which has room again, refused. */
  goOn(service: string): void {
    const refused = this.#refused.get(service);
    this.#refused.delete(service);
    if (refused) this.ask(refused);
  }

  /** Stops checking: take-backs that are due are stored, and the next process finds them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#asked.clear();
    for (const { timer } of this.#resting.values()) timer.cancel();
    this.#resting.clear();
    await this.#checking;
  }

  async #checkAll(): Promise<void> {
    const slice = new Slice();
    while (this.#asked.size > 0) {
      const page = [...this.#asked].slice(0, PAGE);
      for (const accountKey of page) {
        this.#asked.delete(accountKey);
        // Starts before the read: a request during the read may be about a later change.
        const timer = this.#needs.clock.setTimer(() => this.#wake(accountKey), PACE_MS);
        this.#resting.set(accountKey, { timer, isAsked: false });
      }
      for (const accountKey of await this.#dueAmong(page)) {
        // A failed read is repeated.
        if (await this.#check(accountKey).catch(() => true)) this.ask([accountKey]);
        await slice.pause();
      }
    }
  }

  /** Those that have anything due. One read for all: when a node or a network fails, the sockets of many close at once. */
  async #dueAmong(page: readonly number[]): Promise<Iterable<number>> {
    const silent = page.filter((accountKey) => !this.#mustWait(accountKey));
    try {
      const found = silent.length === 0 ? [] : await this.#needs.read.list(accountsDueAmong, silent);
      return new Set(found.map(({ account_key }) => account_key));
    } catch {
      return silent;
    }
  }

  /** Whether the account's take-backs stay due until its last socket has closed. */
  #mustWait(accountKey: number): boolean {
    const { heardAt, clock } = this.#needs;
    const isHeldBack = isLive(heardAt(accountKey), clock.monotonic());
    if (isHeldBack) this.#heldBack.add(accountKey);
    else this.#heldBack.delete(accountKey);
    return isHeldBack;
  }

  #wake(accountKey: number): void {
    const resting = this.#resting.get(accountKey);
    this.#resting.delete(accountKey);
    if (resting?.isAsked) this.ask([accountKey]);
  }

  /** Returns whether there may be more to take back. */
  async #check(accountKey: number): Promise<boolean> {
    const { read, queues, isUsable } = this.#needs;
    if (this.#mustWait(accountKey)) return false;
    const due = await read.all(dueTakeBacks, accountKey, MAX_AT_ONCE);
    for (const { token_key: tokenKey, chat_key: chatKey, platform, address } of [
      ...due,
      ...(await read.all(dueBadges, accountKey)),
    ]) {
      if (!isUsable(platform)) continue;
      const service = serviceOf(platform, address);
      if (!queues.add({ tokenKey, accountKey, service, chatKey, messages: [] })) this.#refuse(service, accountKey);
    }
    return due.length === MAX_AT_ONCE;
  }

  #refuse(service: string, accountKey: number): void {
    let refused = this.#refused.get(service);
    if (!refused) this.#refused.set(service, (refused = new Set()));
    if (refused.size < MAX_REFUSED) refused.add(accountKey);
  }
}
