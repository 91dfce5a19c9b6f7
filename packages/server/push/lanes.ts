import type { Clock } from '../core/clock.ts';
import { type Account, fullest, type Job, type Lane, type Service, type Waiting, waitingLike } from './lane.ts';
import { defaultLaneLimits, delayMs, type LaneLimits } from './lane-limits.ts';
import { joinMessages, type QueuedMessage } from './queued-message.ts';
import { Rota } from './rota.ts';

interface Ports {
  clock: Clock;
  random: () => number;
  run: (job: Job) => Promise<'done' | { retryAfterMs: number | undefined }>;
  /** A job needs these no more. */
  end: (messages: readonly QueuedMessage[]) => void;
  /** A service that was full has room again. */
  onRoom: (service: string) => void;
  limits?: LaneLimits;
}

/** Runs jobs a bounded number at a time, tries again with growing pauses, and refuses what there is no room for (PUSH-13). */
export class Lanes {
  readonly #ports: Ports;
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #services = new Map<string, Service>();
  readonly #accounts = new Map<number, Account>();
  readonly #rota: Rota;
  #running = 0;
  #isClosed = false;
  #isPumping = false;
  #onIdle: (() => void)[] = [];
  /** Jobs that have not ended. */
  size = 0;
  /** Jobs that made room for newer ones of their token or account. */
  dropped = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#limits = ports.limits ?? defaultLaneLimits;
    this.#rota = new Rota(this.#limits.atOncePerService);
  }

  /** Nothing runs: what is left waits for a service that asked for a pause. */
  get isIdle(): boolean {
    return this.#running === 0 && !this.#isPumping;
  }

  /** Takes nothing new. */
  isFull(service: string): boolean {
    return this.#isClosed || this.#services.get(service)?.isFull === true;
  }

  /**
   * A push for each of the messages, or one that tells of none. False where the service has no room; otherwise they are needed until they end,
   * which none does after `close`.
   */
  add(job: Job): boolean {
    if (this.#isClosed) return true;
    const known = this.#lanes.get(job.tokenKey);
    if (!this.#hasRoom(job.service)) {
      const waiting = known && waitingLike(known, job).at(-1);
      if (waiting) this.#join(waiting, job.messages);
      return waiting !== undefined;
    }
    const lane = known ?? this.#makeLane(job);
    if (job.messages.length === 0) this.#place(lane, job);
    for (const message of job.messages) this.#place(lane, { ...job, messages: [message] });
    this.#rota.add(lane);
    this.#pump();
    return true;
  }

  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Starts nothing any more. Jobs that wait do not end: whoever has them stored keeps them for the next start. */
  close(): void {
    this.#isClosed = true;
    for (const { pause } of this.#lanes.values()) pause?.cancel();
  }

  /** Behind what waits in its lane; what the service holds up, and many of one conversation, become one push. */
  #place(lane: Lane, job: Job): void {
    const same = waitingLike(lane, job);
    const last = same.at(-1);
    // Whatever waits sees to it when its turn comes.
    if (last && job.messages.length === 0) return undefined;
    if (last && (lane.pause !== null || same.length >= this.#limits.waitingPerConversation))
      return this.#join(last, job.messages);
    lane.jobs.push({ ...job, attempts: 0 });
    this.#count(lane, 1);
    if (lane.jobs.length > this.#limits.waitingPerToken) this.#dropOldest(lane);
    if (lane.account.waiting > this.#limits.waitingPerAccount) this.#dropOldest(fullest(lane.account));
    return undefined;
  }

  #makeLane({ tokenKey: key, service: name, accountKey }: Job): Lane {
    let service = this.#services.get(name);
    if (!service) {
      service = { name, lanes: 0, waiting: 0, running: 0, ready: [], isListed: false, isFull: false };
      this.#services.set(name, service);
    }
    let account = this.#accounts.get(accountKey);
    if (!account) this.#accounts.set(accountKey, (account = { key: accountKey, lanes: new Set(), waiting: 0 }));
    const lane: Lane = { key, service, account, jobs: [], isBusy: false, isReady: false, pause: null };
    service.lanes += 1;
    account.lanes.add(lane);
    this.#lanes.set(key, lane);
    return lane;
  }

  #hasRoom(name: string): boolean {
    const service = this.#services.get(name);
    if (service && service.waiting >= this.#limits.waitingPerService) service.isFull = true;
    return service?.isFull !== true;
  }

  /** One push for what waits and what has come; a newer message has all its tries. */
  #join(job: Waiting, messages: readonly QueuedMessage[]): void {
    const newest = job.messages.at(-1);
    const { kept, left } = joinMessages(job.messages, messages);
    if (kept.at(-1)?.messageKey !== newest?.messageKey) job.attempts = 0;
    job.messages = kept;
    this.#ports.end(left);
  }

  #dropOldest(lane: Lane): void {
    const oldest = lane.jobs[lane.isBusy ? 1 : 0];
    if (!oldest) return;
    this.dropped += 1;
    this.#end(lane, oldest);
    if (lane.jobs.length > 0) return;
    lane.pause?.cancel();
    this.#forget(lane);
  }

  #end(lane: Lane, job: Waiting): void {
    this.#remove(lane, job);
    this.#ports.end(job.messages);
  }

  #remove(lane: Lane, job: Waiting): void {
    lane.jobs.splice(lane.jobs.indexOf(job), 1);
    this.#count(lane, -1);
    const { service } = lane;
    if (!service.isFull || service.waiting > this.#limits.waitingPerService * 0.9) return;
    service.isFull = false;
    if (!this.#isClosed) this.#ports.onRoom(service.name);
  }

  #count({ service, account }: Lane, jobs: number): void {
    service.waiting += jobs;
    account.waiting += jobs;
    this.size += jobs;
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      this.#begin();
      this.#tellIdle();
    });
  }

  #begin(): void {
    for (let begun = 0; !this.#isClosed && this.#running < this.#limits.atOnce; begun += 1) {
      if (begun >= this.#limits.beginsPerTurn) return this.#pump();
      const lane = this.#rota.next();
      if (!lane) return undefined;
      const [job] = lane.jobs;
      if (job) void this.#run(lane, job);
    }
    return undefined;
  }

  async #run(lane: Lane, job: Waiting): Promise<void> {
    this.#rota.began(lane);
    this.#running += 1;
    // A job does not reject; one that does all the same has ended.
    const outcome = await this.#ports.run(job).catch(() => 'done' as const);
    this.#rota.ended(lane);
    this.#running -= 1;
    if (this.#isClosed && outcome !== 'done') return this.#tellIdle();
    if (outcome === 'done') this.#end(lane, job);
    else this.#retry(lane, job, outcome.retryAfterMs);
    if (lane.jobs.length === 0) this.#forget(lane);
    this.#rota.add(lane);
    this.#pump();
    this.#tellIdle();
  }

  /** Each job has its own tries; the pause is the lane's, for it is the token that makes one wait. */
  #retry(lane: Lane, job: Waiting, retryAfterMs: number | undefined): void {
    job.attempts += 1;
    const { attempts } = job;
    const newer = waitingLike(lane, job);
    const newest = newer.pop();
    if (newest)
      for (const older of [job, ...newer]) {
        this.#remove(lane, older);
        this.#join(newest, older.messages);
      }
    else if (attempts >= this.#limits.attempts) this.#end(lane, job);
    if (lane.jobs.length === 0) return;
    lane.pause = this.#ports.clock.setTimer(
      () => {
        lane.pause = null;
        this.#rota.add(lane);
        this.#pump();
      },
      delayMs(this.#limits, attempts, this.#ports.random, retryAfterMs),
    );
  }

  #forget(lane: Lane): void {
    const { service, account } = lane;
    this.#lanes.delete(lane.key);
    service.lanes -= 1;
    if (service.lanes === 0) this.#services.delete(service.name);
    account.lanes.delete(lane);
    if (account.lanes.size === 0) this.#accounts.delete(account.key);
  }

  #tellIdle(): void {
    if (!this.isIdle) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }
}
