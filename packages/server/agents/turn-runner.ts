// agents/: turns, typing, inline queries, providers, settings and usage. Imports replies and below.
import type { Claimed } from '../commits/effects.ts';
import { pause } from '../core/clock.ts';
import type { EndOfReply } from '../replies/end-of-reply.ts';
import type { LiveStream } from '../replies/live-stream.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import { fairTurns } from '../rules/fair-turns.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import {
  lastPlacedOfOwner,
  type TurnQueueKey,
  type TurnRow,
  waitingInQueue,
  type WaitingOfOwner,
  waitingOfOwner,
} from '../store/turns.ts';
import { type AnswerNeeds, DrainTimeout, TurnAnswers } from './turn-answers.ts';
import { TurnQueues } from './turn-queues.ts';

/** How many humans' waiting turns are read at once, at least, and how often after the end of one turn, at most. */
const LEAST_HUMANS = 8;
const MAX_READS = 8;
/** Maximum turn queues of an owner that are tried in vain before the next end of a turn. */
const MAX_HELD = 64;

/** Delay before a failed read or write of the store is retried (TURN-15, STREAM-18). */
const RETRY_MS = 1_000;

interface TurnNeeds extends AnswerNeeds {
  streams: LiveStreams;
  turnsAtOnce: number;
  turnsOfOwner: number;
  /** 'full', 'crowded': the maximum number of turns of this queue, or of its owner, is running on all nodes together. */
  claim: (turn: TurnRow, agent: AccountRow) => Promise<Claimed | 'full' | 'crowded' | null>;
  close: (stream: LiveStream, end: EndOfReply) => Promise<void>;
  onQueueFault: (error: unknown) => void;
}

interface Running {
  turn: TurnRow;
  stop: AbortController;
  /** Another turn of the owner's agents has ended since this one began, so its claim may have been refused too late. */
  hasRoom: boolean;
  /** It was claimed: the store counts it among those that run. */
  isClaimed: boolean;
  done: Promise<void>;
}

class Stopped extends Error {}

/** Runs the replies of the server's own agents: from the queue of firings to the end of the stream (TURN-1). */
export class Turns {
  readonly #needs: TurnNeeds;
  readonly #running = new Map<number, Running>();
  readonly #queues: TurnQueues<TurnQueueKey>;
  /** By owner: the turns that are waiting for a place among those of the owner's agents. */
  readonly #owners: TurnQueues<number>;
  /** By owner: the turn queues whose next turn was refused since a turn of that owner's agents ended. */
  readonly #held = new Map<number, Set<string>>();
  /** By owner: the human who was last given a place here, for an owner of whom none runs any more. */
  readonly #lastHuman = new Map<number, number>();
  readonly #answers: TurnAnswers;
  /** Aborted when the service stops. */
  readonly #drained = new AbortController();
  #draining = false;

  constructor(needs: TurnNeeds) {
    this.#needs = needs;
    this.#answers = new TurnAnswers(needs);
    const { clock, onQueueFault } = needs;
    this.#queues = new TurnQueues(clock, queueName, (queue) => this.#fill(queue), onQueueFault);
    this.#owners = new TurnQueues(clock, String, (owner) => this.#fillOwner(owner), onQueueFault);
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** True when no turn queue is being read or due to be read. */
  get isIdle(): boolean {
    return this.#queues.isIdle && this.#owners.isIdle;
  }

  /** Starts waiting turns of these queues, up to their limits. */
  wake(queues: readonly TurnQueueKey[]): void {
    this.#queues.wake(queues);
  }

  /** Tries the waiting turns of an owner's agents again: something other than a turn has ended that kept them waiting. */
  roomFor(ownerKey: number): void {
    this.#makeRoom(ownerKey);
    if (!this.#draining) this.#owners.look(ownerKey);
  }

  /** Runs a turn whose placeholder already exists (RETRY-2). During shutdown it is left for the next start. */
  adopt(turn: TurnRow, claimed: Claimed): void {
    if (!this.#draining) this.#start(turn, claimed);
  }

  /** Stops running turns; the unit that requested it has ended the queued ones. */
  cancel(turnKeys: readonly number[]): void {
    for (const key of turnKeys) this.#running.get(key)?.stop.abort(new Stopped());
  }

  /** Stops the turn of a deleted reply; it ends without storing or publishing anything. */
  abandon(messageKey: number): void {
    for (const { turn, stop } of this.#running.values()) if (turn.reply_key === messageKey) stop.abort(new Stopped());
  }

  /** Waits for running turns until `patience` resolves, then ends the rest as failed (`restart`). */
  async drain(patience: Promise<unknown>): Promise<void> {
    this.#draining = true;
    this.#queues.close();
    this.#owners.close();
    const all = () => Promise.all([...this.#running.values()].map(({ done }) => done));
    await Promise.race([all(), patience]);
    this.#drained.abort();
    for (const { stop } of this.#running.values()) stop.abort(new DrainTimeout());
    await all();
  }

  /** Starts waiting turns of a queue up to the limit; reads no more rows than that, however many wait (TURN-17). */
  async #fill(queue: TurnQueueKey): Promise<void> {
    const { read, turnsAtOnce } = this.#needs;
    if (this.#draining || this.#queues.runningIn(queue) >= turnsAtOnce || this.#freeOf(queue.owner_key) <= 0) return;
    if (this.#isGivingPlaces(queue.owner_key)) return;
    // Turns that are being claimed are still queued in the store; they count as running, so the limit covers them.
    const waiting = await read.all(waitingInQueue, queue.agent_key, queue.human_key, turnsAtOnce);
    if (this.#isGivingPlaces(queue.owner_key)) return;
    let free = Math.min(turnsAtOnce - this.#queues.runningIn(queue), this.#freeOf(queue.owner_key));
    for (const turn of waiting) {
      if (free <= 0 || this.#draining) return;
      // If a turn ends between this read and its claim, the unit `claimTurn` refuses it.
      if (this.#running.has(turn.key)) continue;
      free -= 1;
      this.#start(turn);
    }
  }

  /** Whether an owner's free places are being given away (TURN-18). Turns that have come since are then looked at there. */
  #isGivingPlaces(ownerKey: number): boolean {
    if (!this.#owners.isLooking(ownerKey)) return false;
    this.#owners.look(ownerKey);
    return true;
  }

  /** How many more turns of an owner's agents may begin on this node; the guide's have no limit. */
  #freeOf(ownerKey: number): number {
    return ownerKey === 0 ? Infinity : this.#needs.turnsOfOwner - this.#owners.runningIn(ownerKey);
  }

  /**
   * Gives the free places of an owner's agents to waiting turns, fairly by human (TURN-18). It begins after the human
   * who was last given a place, so that all get one in turn. A read returns the first turns of a few humans.
   */
  async #fillOwner(ownerKey: number): Promise<void> {
    const { read } = this.#needs;
    const last = await read.get(lastPlacedOfOwner, ownerKey);
    let after = last?.human_key ?? this.#lastHuman.get(ownerKey) ?? 0;
    for (let reads = 0; reads < MAX_READS && !this.#draining && this.#freeOf(ownerKey) > 0; reads += 1) {
      const rows = await this.#waitingAfter(ownerKey, after);
      if (this.#draining) return;
      if (rows.length === 0) this.#lastHuman.delete(ownerKey);
      this.#startFairly(ownerKey, rows);
      if (new Set(rows.map(({ for_human }) => for_human)).size < this.#humansAtOnce) return;
      after = rows.at(-1)?.for_human ?? 0;
    }
  }

  get #humansAtOnce(): number {
    return Math.max(LEAST_HUMANS, Math.ceil(this.#needs.turnsOfOwner / this.#needs.turnsAtOnce));
  }

  /** Of the next humans after one, and then of those up to that one. */
  async #waitingAfter(ownerKey: number, human: number): Promise<WaitingOfOwner[]> {
    const { read, turnsAtOnce } = this.#needs;
    const most = this.#humansAtOnce;
    const behind = await read.all(waitingOfOwner, ownerKey, human, most, turnsAtOnce, turnsAtOnce);
    const left = most - new Set(behind.map(({ for_human }) => for_human)).size;
    if (human === 0 || left === 0) return behind;
    const before = await read.all(waitingOfOwner, ownerKey, 0, left, turnsAtOnce, turnsAtOnce);
    return [...behind, ...before.filter(({ for_human }) => for_human <= human)];
  }

  #startFairly(ownerKey: number, rows: readonly WaitingOfOwner[]): void {
    const ofHumans = new Map(rows.map((row) => [row.for_human, row.running_for_human]));
    const running: TurnRow[] = [];
    for (const { turn, isClaimed } of this.#running.values()) {
      if (turn.owner_key !== ownerKey) continue;
      running.push(turn);
      // The store does not count it yet.
      if (!isClaimed) ofHumans.set(turn.human_key, (ofHumans.get(turn.human_key) ?? 0) + 1);
    }
    const waiting = rows.filter(
      (row): row is WaitingOfOwner & TurnRow => row.key !== null && !this.#running.has(row.key) && !this.#isHeld(row),
    );
    const places = { free: this.#freeOf(ownerKey), perQueue: this.#needs.turnsAtOnce, ofHumans };
    for (const turn of fairTurns(waiting, running, places)) this.#start(turn);
  }

  #isHeld(turn: TurnQueueKey): boolean {
    return this.#held.get(turn.owner_key)?.has(queueName(turn)) === true;
  }

  #start(turn: TurnRow, adopted?: Claimed): void {
    const stop = new AbortController();
    let refused: 'full' | 'crowded' | undefined;
    const done = this.#run(turn, stop.signal, adopted)
      .then((end) => void (refused = end))
      .catch((error: unknown) => {
        this.#needs.onFault(error, turn);
        // The turn is most likely still queued: without a pause it would be started again in a tight loop.
        return pause(this.#needs.clock, RETRY_MS, stop.signal).catch(() => {});
      })
      .finally(() => {
        const hasRoom = this.#running.get(turn.key)?.hasRoom === true;
        this.#running.delete(turn.key);
        this.#queues.ended(turn);
        this.#owners.ended(turn.owner_key);
        if (refused === undefined) this.#makeRoom(turn.owner_key);
        else if (!hasRoom) this.#hold(turn);
        // After 'crowded', the turns are read again when a running one ends; here, if one has ended already (`hasRoom`).
        if (refused !== 'crowded' || hasRoom) this.#lookAfter(turn, refused !== undefined && !hasRoom);
      });
    this.#running.set(turn.key, { turn, stop, hasRoom: false, isClaimed: adopted !== undefined, done });
    this.#queues.began(turn);
    this.#owners.began(turn.owner_key);
    if (turn.owner_key !== 0) this.#lastHuman.set(turn.owner_key, turn.human_key);
  }

  /** Reads what may begin after a turn. `isRefused`: it could not begin itself, so only others may. */
  #lookAfter(turn: TurnRow, isRefused: boolean): void {
    const { owner_key: ownerKey } = turn;
    if (ownerKey === 0) {
      if (!isRefused) this.#queues.look(turn);
    } else if (!isRefused) this.#owners.look(ownerKey);
    // Where none of the owner's turns run, those of other nodes are in the way: the end of one is noticed there.
    else if (this.#owners.runningIn(ownerKey) === 0) this.#held.delete(ownerKey);
    else if ((this.#held.get(ownerKey)?.size ?? 0) < MAX_HELD) this.#owners.look(ownerKey);
  }

  /** A place has become free: what was refused before may be tried again. */
  #makeRoom(ownerKey: number): void {
    this.#held.delete(ownerKey);
    for (const other of this.#running.values()) if (other.turn.owner_key === ownerKey) other.hasRoom = true;
  }

  #hold(turn: TurnQueueKey): void {
    const held = this.#held.get(turn.owner_key) ?? new Set();
    this.#held.set(turn.owner_key, held.add(queueName(turn)));
  }

  async #run(turn: TurnRow, signal: AbortSignal, adopted?: Claimed): Promise<'full' | 'crowded' | undefined> {
    const { streams, claim } = this.#needs;
    const agent = await this.#agentOf(turn, adopted !== undefined);
    if (!agent) return undefined;
    const claimed = adopted ?? (await claim(turn, agent));
    if (claimed === 'full' || claimed === 'crowded') return claimed;
    const stream = claimed && streams.get(claimed.messageKey);
    if (!claimed || !stream) return undefined;
    turn.reply_key = claimed.messageKey;
    const running = this.#running.get(turn.key);
    if (running) running.isClaimed = true;
    const { refused, payer } = claimed;
    const end = await this.#answers.answer({ ...turn, payer }, { agent, stream, refused }, signal);
    if (end) await this.#close(turn, stream, end);
    return undefined;
  }

  /**
   * The turn's agent. If the read fails, a queued turn is left for the next read of its queue; an adopted turn has a
   * placeholder, which must end, so its read is retried.
   */
  async #agentOf(turn: TurnRow, isAdopted: boolean): Promise<AccountRow | undefined> {
    for (;;) {
      try {
        return await this.#needs.read.get(accountByKey, turn.agent_key);
      } catch (error) {
        if (!isAdopted || this.#draining) throw error;
        this.#needs.onFault(error, turn);
        await pause(this.#needs.clock, RETRY_MS, this.#drained.signal).catch(() => {});
      }
    }
  }

  /** Stores the end of the reply, and retries until that succeeds: every reply ends (STREAM-9). */
  async #close(turn: TurnRow, stream: LiveStream, end: EndOfReply): Promise<void> {
    for (;;) {
      try {
        return await this.#needs.close(stream, end);
      } catch (error) {
        this.#needs.onFault(error, turn);
        // The next start finds the reply open, and ends it.
        if (this.#draining) return undefined;
        await pause(this.#needs.clock, RETRY_MS, this.#drained.signal).catch(() => {});
      }
    }
  }
}

const queueName = ({ agent_key, human_key }: TurnQueueKey): string => `${agent_key} ${human_key}`;
