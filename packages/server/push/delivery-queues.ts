import type { Clock } from '../core/clock.ts';
import {
  type Account,
  fullest,
  type Job,
  type DeliveryQueue,
  type Service,
  type Waiting,
  waitingLike,
} from './delivery-queue.ts';
import { defaultDeliveryLimits, delayMs, type DeliveryLimits } from './delivery-limits.ts';
import { joinMessages, type QueuedMessage } from './queued-message.ts';
import { Rota } from './rota.ts';

interface DeliveryQueuesNeeds {
  clock: Clock;
  random: () => number;
  run: (job: Job) => Promise<'done' | { retryAfterMs: number | undefined }>;
  /** Called when a job has ended and no longer needs these messages. */
  end: (messages: readonly QueuedMessage[]) => void;
  /** Called when a service that was full has room again. */
  onRoom: (service: string) => void;
  limits?: DeliveryLimits;
}

/** Runs a limited number of jobs at once, retries with growing delays, and refuses jobs of a full service (PUSH-13). */
export class DeliveryQueues {
  readonly #needs: DeliveryQueuesNeeds;
  readonly #limits: DeliveryLimits;
  readonly #queues = new Map<number, DeliveryQueue>();
  readonly #services = new Map<string, Service>();
  readonly #accounts = new Map<number, Account>();
  readonly #rota: Rota;
  #running = 0;
  #isClosed = false;
  #isPumping = false;
  #onIdle: (() => void)[] = [];
  /** Number of jobs that have not ended. */
  size = 0;
  /** Number of jobs dropped to make room for newer ones of their token or account. */
  dropped = 0;

  constructor(needs: DeliveryQueuesNeeds) {
    this.#needs = needs;
    this.#limits = needs.limits ?? defaultDeliveryLimits;
    this.#rota = new Rota(this.#limits.atOncePerService);
  }

  /** True if nothing runs: remaining jobs wait for a retry. */
  get isIdle(): boolean {
    return this.#running === 0 && !this.#isPumping;
  }

  /** True if new jobs of this service are refused. */
  isFull(service: string): boolean {
    return this.#isClosed || this.#services.get(service)?.isFull === true;
  }

  /**
   * Queues a push for each message, or a take-back if there are none. Returns false if the service is full. Otherwise
   * the messages are needed until the job ends; after `close` no job ends.
   */
  add(job: Job): boolean {
    if (this.#isClosed) return true;
    const known = this.#queues.get(job.tokenKey);
    if (!this.#hasRoom(job.service)) {
      const waiting = known && waitingLike(known, job).at(-1);
      if (waiting) this.#join(waiting, job.messages);
      return waiting !== undefined;
    }
    const queue = known ?? this.#makeQueue(job);
    if (job.messages.length === 0) this.#place(queue, job);
    for (const message of job.messages) this.#place(queue, { ...job, messages: [message] });
    this.#rota.add(queue);
    this.#pump();
    return true;
  }

  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Starts no further jobs. Waiting jobs do not end, so their rows stay stored for the next start. */
  close(): void {
    this.#isClosed = true;
    for (const { pause } of this.#queues.values()) pause?.cancel();
  }

  /** Appends a job. While the queue pauses, or beyond the maximum per conversation, it joins the last job instead. */
  #place(queue: DeliveryQueue, job: Job): void {
    const same = waitingLike(queue, job);
    const last = same.at(-1);
    // A take-back needs no job of its own: the waiting job composes one when it runs.
    if (last && job.messages.length === 0) return undefined;
    if (last && (queue.pause !== null || same.length >= this.#limits.waitingPerConversation))
      return this.#join(last, job.messages);
    queue.jobs.push({ ...job, attempts: 0 });
    this.#count(queue, 1);
    if (queue.jobs.length > this.#limits.waitingPerToken) this.#dropOldest(queue);
    if (queue.account.waiting > this.#limits.waitingPerAccount) this.#dropOldest(fullest(queue.account));
    return undefined;
  }

  #makeQueue({ tokenKey: key, service: name, accountKey }: Job): DeliveryQueue {
    let service = this.#services.get(name);
    if (!service) {
      service = { name, queues: 0, waiting: 0, running: 0, ready: [], isListed: false, isFull: false };
      this.#services.set(name, service);
    }
    let account = this.#accounts.get(accountKey);
    if (!account) this.#accounts.set(accountKey, (account = { key: accountKey, queues: new Set(), waiting: 0 }));
    const queue: DeliveryQueue = { key, service, account, jobs: [], isBusy: false, isReady: false, pause: null };
    service.queues += 1;
    account.queues.add(queue);
    this.#queues.set(key, queue);
    return queue;
  }

  #hasRoom(name: string): boolean {
    const service = this.#services.get(name);
    if (service && service.waiting >= this.#limits.waitingPerService) service.isFull = true;
    return service?.isFull !== true;
  }

  /** Merges messages into a waiting job; a newer message gets all its attempts. */
  #join(job: Waiting, messages: readonly QueuedMessage[]): void {
    const newest = job.messages.at(-1);
    const { kept, left } = joinMessages(job.messages, messages);
    if (kept.at(-1)?.messageKey !== newest?.messageKey) job.attempts = 0;
    job.messages = kept;
    this.#needs.end(left);
  }

  #dropOldest(queue: DeliveryQueue): void {
    const oldest = queue.jobs[queue.isBusy ? 1 : 0];
    if (!oldest) return;
    this.dropped += 1;
    this.#end(queue, oldest);
    if (queue.jobs.length > 0) return;
    queue.pause?.cancel();
    this.#forget(queue);
  }

  #end(queue: DeliveryQueue, job: Waiting): void {
    this.#remove(queue, job);
    this.#needs.end(job.messages);
  }

  #remove(queue: DeliveryQueue, job: Waiting): void {
    queue.jobs.splice(queue.jobs.indexOf(job), 1);
    this.#count(queue, -1);
    const { service } = queue;
    if (!service.isFull || service.waiting > this.#limits.waitingPerService * 0.9) return;
    service.isFull = false;
    if (!this.#isClosed) this.#needs.onRoom(service.name);
  }

  #count({ service, account }: DeliveryQueue, jobs: number): void {
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
      this.#notifyIdle();
    });
  }

  #begin(): void {
    for (let begun = 0; !this.#isClosed && this.#running < this.#limits.atOnce; begun += 1) {
      if (begun >= this.#limits.beginsPerTick) return this.#pump();
      const queue = this.#rota.next();
      if (!queue) return undefined;
      const [job] = queue.jobs;
      if (job) void this.#run(queue, job);
    }
    return undefined;
  }

  async #run(queue: DeliveryQueue, job: Waiting): Promise<void> {
    this.#rota.began(queue);
    this.#running += 1;
    // Jobs do not reject; one that does is treated as ended.
    const outcome = await this.#needs.run(job).catch(() => 'done' as const);
    this.#rota.ended(queue);
    this.#running -= 1;
    if (this.#isClosed && outcome !== 'done') return this.#notifyIdle();
    if (outcome === 'done') this.#end(queue, job);
    else this.#retry(queue, job, outcome.retryAfterMs);
    if (queue.jobs.length === 0) this.#forget(queue);
    this.#rota.add(queue);
    this.#pump();
    this.#notifyIdle();
  }

  /** Attempts are counted per job; the pause applies to the whole queue, because the token causes the failures. */
  #retry(queue: DeliveryQueue, job: Waiting, retryAfterMs: number | undefined): void {
    job.attempts += 1;
    const { attempts } = job;
    const newer = waitingLike(queue, job);
    const newest = newer.pop();
    if (newest)
      for (const older of [job, ...newer]) {
        this.#remove(queue, older);
        this.#join(newest, older.messages);
      }
    else if (attempts >= this.#limits.attempts) this.#end(queue, job);
    if (queue.jobs.length === 0) return;
    queue.pause = this.#needs.clock.setTimer(
      () => {
        queue.pause = null;
        this.#rota.add(queue);
        this.#pump();
      },
      delayMs(this.#limits, attempts, this.#needs.random, retryAfterMs),
    );
  }

  #forget(queue: DeliveryQueue): void {
    const { service, account } = queue;
    this.#queues.delete(queue.key);
    service.queues -= 1;
    if (service.queues === 0) this.#services.delete(service.name);
    account.queues.delete(queue);
    if (account.queues.size === 0) this.#accounts.delete(account.key);
  }

  #notifyIdle(): void {
    if (!this.isIdle) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }
}
