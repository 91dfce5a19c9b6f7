import type { Clock } from '../core/clock.ts';
import { chatScope, eventClass } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { renderJson } from '../core/json.ts';
import { Slice } from '../core/slices.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { EndpointRefused } from '../outbound/endpoint-guard.ts';
import { mayMiss, replay } from '../recovery/replay.ts';
import type { ReplayRooms } from '../recovery/request.ts';
import { type DeliveryFailure, failureText } from '../rules/webhook-failures.ts';
import { isRetryDue, retryAt, retryDelay } from '../rules/webhook-retries.ts';
import { type KeyRing, subscriptionBinding } from '../secrets/seal.ts';
import { chatByKey } from '../store/chats.ts';
import { type DueSubscription, enabledSubscriptions } from '../store/webhook-subscriptions.ts';
import type { Awaitable } from '../store/sql.ts';
import { signedHeaders } from './signature.ts';
import type { webhookUnits } from './subscription-units.ts';

/** Maximum events of one request. */
const FRAMES = 100;
/** How long a receiver may take to answer. */
const TIMEOUT_MS = 10_000;
/** Subscriptions read at once. */
const PAGE = 50;
/** Maximum requests at once: of all owners, and of one, so that its slow receivers do not delay others. */
const AT_ONCE = 64;
const AT_ONCE_PER_OWNER = 4;
/** A cursor that events for others have left behind by this many numbers is stored, so that it stays in the log. */
const STORED_EVERY = 10_000;
/** Maximum subscriptions about which something is kept in memory. */
const MAX_KEPT = 10_000;

/** What sockets with `ext` and `nodrafts` receive: everything that is stored. */
const CLASSES = eventClass.base | eventClass.ext;

export interface WebhookNeeds {
  clock: Clock;
  random: () => number;
  rooms: ReplayRooms & { flushed(): Awaitable<void> };
  keys: KeyRing;
  fetch: Fetch;
  /** Signs addresses of files for one reader. */
  sign: (text: string, accountKey: number) => string;
  units: UnitCallers<typeof webhookUnits>;
  /** False while another node may be about to take over this node's work. */
  isSure: () => Awaitable<boolean>;
  /** True while the disk is full, so that cursors may not move. */
  isPaused: () => boolean;
  onFault: (error: unknown) => void;
}

/** What is known of a subscription as long as its stored cursor stays where it is. */
interface Standing {
  cursor: number;
  /** How far the log was searched, without events for it since the cursor. */
  reached: number;
  /** How often a delivery has failed within the service, and when the next is tried. */
  faults: number;
  retryAt: number;
}

/**
 * Sends events to the addresses of subscriptions, each in order and until it is answered with 2xx; only then its cursor
 * moves. A crash repeats at most the last request (WEBHOOK-23). Only one node does this; if two do for a moment, a
 * receiver gets some requests twice.
 */
export class WebhookDeliveries {
  readonly #needs: WebhookNeeds;
  readonly #busy = new Map<number, Promise<void>>();
  readonly #ofOwner = new Map<number, number>();
  readonly #standings = new Map<number, Standing>();
  readonly #stop = new AbortController();
  /** The subscription with which the next pass begins, so that all get their turn. */
  #after = 0;
  /**
   * The subscriptions that the newest pass left out, by owner, because their owner had too many running: they come
   * first in the next one.
   */
  #leftOut = new Map<number, Set<number>>();
  /** True if the newest pass ended early, because too many of all owners were running. */
  #isCrowded = false;
  #isTending = false;
  /** True if a place for which others wait has become free during the pass. */
  #isStale = false;

  constructor(needs: WebhookNeeds) {
    this.#needs = needs;
  }

  /** Starts what is due, as far as there is room; called about once a second. */
  async tend(): Promise<void> {
    if (this.#isTending) return;
    this.#isTending = true;
    try {
      do {
        this.#isStale = false;
        await this.#beginDue();
      } while (this.#isStale);
    } finally {
      this.#isTending = false;
    }
  }

  /** True if no request is running. */
  get isIdle(): boolean {
    return !this.#isTending && this.#busy.size === 0;
  }

  async #beginDue(): Promise<void> {
    const { rooms } = this.#needs;
    const first = this.#leftOut;
    this.#leftOut = new Map();
    this.#isCrowded = false;
    const slice = new Slice();
    let isWrapped = this.#after === 0;
    while (!this.#isResting) {
      // Their cursors may move while they are read.
      const moving = new Set(this.#busy.keys());
      const rows = await rooms.read.all(enabledSubscriptions, this.#after, PAGE);
      const isDue = await Promise.all(rows.map(async (row) => !moving.has(row.key) && (await this.#hasMore(row))));
      for (const [at, row] of rows.entries()) {
        if (isDue[at] && this.#busy.size >= AT_ONCE) {
          this.#isCrowded = true;
          return;
        }
        this.#after = row.key;
        if (isDue[at]) this.#begin(row, first.get(row.owner_key));
      }
      await slice.pause();
      if (rows.length === PAGE) continue;
      this.#after = 0;
      if (isWrapped) return;
      isWrapped = true;
    }
  }

  get #isResting(): boolean {
    return this.#stop.signal.aborted || this.#needs.isPaused();
  }

  /** Ends running requests; their events are sent again after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#busy.values());
  }

  /** Whether there may be something to do for a subscription, by the newest event of its account. */
  async #hasMore(row: DueSubscription): Promise<boolean> {
    const { clock, rooms } = this.#needs;
    const { log, hub } = rooms;
    const { account_key: accountKey } = row;
    const { reached: since, retryAt: notBefore } = this.#standingOf(row);
    if (notBefore > clock.monotonic()) return false;
    if (!isRetryDue({ nextAt: row.next_at ?? Infinity, attempts: row.attempts, now: clock.now() })) return false;
    if (row.failing_since !== null) return true;
    const through = log.published;
    if (since >= through) return false;
    const head = await hub.headOf(accountKey, CLASSES, through);
    if (mayMiss({ hub }, accountKey, { since, head }) || through - row.cursor >= STORED_EVERY) return true;
    this.#noteSearched(row, through);
    return false;
  }

  #standingOf({ key, cursor }: DueSubscription): Standing {
    const known = this.#standings.get(key);
    return known?.cursor === cursor ? known : { cursor, reached: cursor, faults: 0, retryAt: 0 };
  }

  #keep({ key }: DueSubscription, standing: Standing): void {
    // Subscriptions that have ended leave entries behind.
    if (this.#standings.size >= MAX_KEPT) this.#standings.clear();
    this.#standings.set(key, standing);
  }

  #noteSearched(row: DueSubscription, reached: number): void {
    this.#keep(row, { cursor: row.cursor, reached, faults: 0, retryAt: 0 });
  }

  /** After a failure of the service, not of the receiver: it may be unable to store anything. */
  #postpone(row: DueSubscription): void {
    const { clock, random } = this.#needs;
    const standing = this.#standingOf(row);
    const faults = standing.faults + 1;
    this.#keep(row, {
      ...standing,
      faults,
      retryAt: clock.monotonic() + retryDelay({ attempts: faults, random: random() }),
    });
  }

  /** Begins a delivery. If the owner's subscriptions wait for their turn, `first` are those whose turn it is. */
  #begin(row: DueSubscription, first: ReadonlySet<number> | undefined): void {
    if (first?.has(row.key) === false) return;
    const ofOwner = this.#ofOwner.get(row.owner_key) ?? 0;
    if (ofOwner >= AT_ONCE_PER_OWNER) {
      const leftOut = this.#leftOut.get(row.owner_key) ?? new Set();
      this.#leftOut.set(row.owner_key, leftOut.add(row.key));
      return;
    }
    this.#ofOwner.set(row.owner_key, ofOwner + 1);
    const run = this.#deliver(row)
      .catch(this.#report)
      .finally(() => this.#end(row));
    this.#busy.set(row.key, run);
  }

  #end({ key, owner_key: ownerKey }: DueSubscription): void {
    this.#busy.delete(key);
    const left = (this.#ofOwner.get(ownerKey) ?? 1) - 1;
    if (left === 0) this.#ofOwner.delete(ownerKey);
    else this.#ofOwner.set(ownerKey, left);
    if (!this.#othersWait(ownerKey)) return;
    this.#isStale = true;
    this.tend().catch(this.#report);
  }

  #othersWait(ownerKey: number): boolean {
    return this.#isCrowded || this.#leftOut.has(ownerKey);
  }

  readonly #report = (error: unknown): void => {
    if (!this.#stop.signal.aborted) this.#needs.onFault(error);
  };

  /** Sends one batch after the other, as long as no subscription waits for the place. */
  async #deliver(row: DueSubscription): Promise<void> {
    let due: DueSubscription | null = row;
    do {
      const batch: DueSubscription = due;
      try {
        due = await this.#deliverBatch(batch);
      } catch (error) {
        this.#postpone(batch);
        throw error;
      }
    } while (due && !this.#isResting && !this.#othersWait(row.owner_key));
  }

  /** Returns the subscription with its new cursor if more is due. */
  async #deliverBatch(row: DueSubscription): Promise<DueSubscription | null> {
    const { rooms, clock, units, random } = this.#needs;
    const since = this.#standingOf(row).reached;
    const chat = row.chat_key === 0 ? undefined : await rooms.read.get(chatByKey, row.chat_key);
    if (row.chat_key !== 0 && !chat) return null;
    const { frames, reached, more, truncated } = await replay(rooms, {
      accountKey: row.account_key,
      ownerKey: row.owner_key,
      classes: CLASSES,
      focus: undefined,
      since,
      limit: FRAMES,
      only: {
        chat: chat ? { scope: chatScope(row.chat_key), id: idText(chat.id) } : null,
        // Written by createWebhookSubscription.
        methods: new Set((JSON.parse(row.events) as string[]).map((name) => `events.${name}`)),
      },
      head: (through) => rooms.hub.headOf(row.account_key, CLASSES, through),
    });
    await rooms.flushed();
    if (frames.length === 0 && !truncated) {
      this.#noteSearched(row, reached);
      if (reached - row.cursor < STORED_EVERY && row.failing_since === null) return null;
      await units.moveWebhookCursor({ key: row.key, from: row.cursor, to: reached });
      return null;
    }
    if (!(await this.#needs.isSure())) return null;
    const id = idText(row.id);
    const body = renderJson({ subscription_id: id, frames, ...(truncated && { truncated }) });
    const failed = await this.#post(row, this.#needs.sign(body, row.account_key), `${id}-${reached}`);
    if (!failed) {
      const isMoved = await units.moveWebhookCursor({ key: row.key, from: row.cursor, to: reached });
      // It may have been deleted or replayed meanwhile.
      return more && isMoved ? { ...row, cursor: reached, failing_since: null, attempts: 0 } : null;
    }
    if (this.#stop.signal.aborted) return null;
    const now = clock.now();
    const failing = { attempts: row.attempts + 1, failingSince: row.failing_since ?? now };
    const nextAt = retryAt({ ...failing, now, random: random() });
    const { key, cursor, owner_key: ownerKey } = row;
    await units.failWebhook({ key, cursor, ...failing, failure: failureText(failed), nextAt, ownerKey });
    return null;
  }

  /** Returns why the receiver has not accepted the body, or undefined if it has. */
  async #post(row: DueSubscription, body: string, id: string): Promise<DeliveryFailure | undefined> {
    const { clock, fetch } = this.#needs;
    const secret = this.#secretOf(row);
    if (secret === undefined) return { kind: 'no_secret' };
    const timeout = new AbortController();
    const timer = clock.setTimer(() => timeout.abort(), TIMEOUT_MS);
    try {
      const answer = await fetch(row.url, {
        method: 'POST',
        headers: signedHeaders(secret, { id, at: clock.now(), body }),
        body,
        redirect: 'manual',
        signal: AbortSignal.any([timeout.signal, this.#stop.signal]),
      });
      // What it says besides is of no interest, and may be endless.
      await answer.body?.cancel();
      return answer.ok ? undefined : { kind: 'status', status: answer.status };
    } catch (error) {
      if (timeout.signal.aborted) return { kind: 'timeout', seconds: TIMEOUT_MS / 1_000 };
      return error instanceof EndpointRefused ? { kind: 'refused', unlike: error.message } : { kind: 'unreachable' };
    } finally {
      timer.cancel();
    }
  }

  /** Undefined if the key that sealed the secret is missing. */
  #secretOf({ sealed, id }: DueSubscription): string | undefined {
    try {
      return this.#needs.keys.open(sealed, subscriptionBinding(id));
    } catch {
      return undefined;
    }
  }
}
