import type { Clock, Timer } from '../clock.ts';

/** One push to one token. */
export interface Job {
  /** The token: its jobs run one after the other, in their order. */
  lane: number;
  /** The push service: a slow one keeps only a part of what may be under way. */
  service: string;
  /** Of two jobs with the same topic the later one is enough, where the earlier has not come through. */
  topic: string;
  run(): Promise<'done' | { retryAfterMs: number | undefined }>;
  /** Called once: the job has run, or will not. */
  end(): void;
}

export interface LaneLimits {
  atOnce: number;
  atOncePerService: number;
  waiting: number;
  waitingPerLane: number;
  /** Jobs begun before sockets and callers have their turn. */
  beginsPerTurn: number;
  attempts: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

export const defaultLaneLimits: LaneLimits = {
  atOnce: 128,
  atOncePerService: 48,
  waiting: 10_000,
  waitingPerLane: 50,
  beginsPerTurn: 8,
  attempts: 6,
  firstDelayMs: 2_000,
  maxDelayMs: 600_000,
};

interface Lane {
  key: number;
  service: Service;
  jobs: Job[];
  isBusy: boolean;
  isReady: boolean;
  /** How often in a row its first job was in vain, or one whose place it took. */
  failures: number;
  pause: Timer | null;
}

interface Service {
  name: string;
  lanes: number;
  running: number;
  ready: Lane[];
  isListed: boolean;
}

/** Runs jobs a bounded number at a time, tries again with growing pauses, and drops what there is no room for (PUSH-13). */
export class Lanes {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #services = new Map<string, Service>();
  /** Services with something to run and room for it, taken in turn. */
  #listed: Service[] = [];
  #running = 0;
  #waiting = 0;
  #isClosed = false;
  #isPumping = false;
  #onIdle: (() => void)[] = [];
  /** Jobs for which there was no room. */
  dropped = 0;

  constructor(clock: Clock, random: () => number, limits: LaneLimits = defaultLaneLimits) {
    this.#clock = clock;
    this.#random = random;
    this.#limits = limits;
  }

  /** Jobs that have not ended. */
  get size(): number {
    return this.#waiting;
  }

  /** Nothing runs: what is left waits for a service that asked for a pause. */
  get isIdle(): boolean {
    return this.#running === 0 && !this.#isPumping;
  }

  add(job: Job): void {
    if (this.#isClosed) return;
    if (this.#waiting >= this.#limits.waiting) {
      this.dropped += 1;
      job.end();
      return;
    }
    const lane = this.#laneOf(job);
    // The service has asked for a pause: what is new takes the place of what would be replaced anyway.
    if (lane.pause) this.#dropFrom(lane, ({ topic }) => topic === job.topic);
    if (lane.jobs.length >= this.#limits.waitingPerLane) {
      this.dropped += 1;
      const oldest = lane.jobs[lane.isBusy ? 1 : 0];
      this.#dropFrom(lane, (other) => other === oldest);
    }
    lane.jobs.push(job);
    this.#waiting += 1;
    this.#makeReady(lane);
    this.#pump();
  }

  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Starts nothing any more. Jobs that wait do not end: whoever has them stored keeps them for the next start. */
  close(): void {
    this.#isClosed = true;
    for (const { pause } of this.#lanes.values()) pause?.cancel();
  }

  #laneOf(job: Job): Lane {
    const known = this.#lanes.get(job.lane);
    if (known) return known;
    let service = this.#services.get(job.service);
    if (!service) {
      service = { name: job.service, lanes: 0, running: 0, ready: [], isListed: false };
      this.#services.set(job.service, service);
    }
    service.lanes += 1;
    const lane: Lane = { key: job.lane, service, jobs: [], isBusy: false, isReady: false, failures: 0, pause: null };
    this.#lanes.set(job.lane, lane);
    return lane;
  }

  #dropFrom(lane: Lane, isMeant: (job: Job) => boolean): void {
    for (const job of lane.jobs.filter(isMeant)) {
      lane.jobs.splice(lane.jobs.indexOf(job), 1);
      this.#waiting -= 1;
      job.end();
    }
  }

  #makeReady(lane: Lane): void {
    if (lane.isBusy || lane.isReady || lane.pause || lane.jobs.length === 0) return;
    lane.isReady = true;
    lane.service.ready.push(lane);
    this.#list(lane.service);
  }

  #list(service: Service): void {
    if (service.isListed || service.ready.length === 0 || service.running >= this.#limits.atOncePerService) return;
    service.isListed = true;
    this.#listed.push(service);
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
      const service = this.#listed.shift();
      if (!service) return undefined;
      service.isListed = false;
      const lane = service.ready.shift();
      if (lane) {
        lane.isReady = false;
        const [job] = lane.jobs;
        if (job) void this.#run(lane, job);
      }
      this.#list(service);
    }
    return undefined;
  }

  async #run(lane: Lane, job: Job): Promise<void> {
    const { service } = lane;
    lane.isBusy = true;
    service.running += 1;
    this.#running += 1;
    // A job does not reject; one that does all the same has ended.
    const outcome = await job.run().catch(() => 'done' as const);
    service.running -= 1;
    this.#running -= 1;
    lane.isBusy = false;
    if (this.#isClosed && outcome !== 'done') return this.#tellIdle();
    if (outcome === 'done') {
      lane.failures = 0;
      this.#dropFrom(lane, (other) => other === job);
    } else this.#retry(lane, job, outcome.retryAfterMs);
    if (lane.jobs.length === 0) this.#forget(lane);
    this.#makeReady(lane);
    this.#list(service);
    this.#pump();
    this.#tellIdle();
  }

  #retry(lane: Lane, job: Job, retryAfterMs = 0): void {
    const { attempts, firstDelayMs, maxDelayMs } = this.#limits;
    lane.failures += 1;
    const pauseMs = Math.max(retryAfterMs, delayMs(firstDelayMs, lane.failures, this.#random));
    const isSuperseded = lane.jobs.some((other) => other !== job && other.topic === job.topic);
    if (lane.failures >= attempts || isSuperseded) this.#dropFrom(lane, (other) => other === job);
    if (lane.jobs.length === 0) return;
    lane.pause = this.#clock.setTimer(
      () => {
        lane.pause = null;
        this.#makeReady(lane);
        this.#pump();
      },
      Math.min(pauseMs, maxDelayMs),
    );
  }

  #forget(lane: Lane): void {
    this.#lanes.delete(lane.key);
    lane.service.lanes -= 1;
    if (lane.service.lanes === 0) this.#services.delete(lane.service.name);
  }

  #tellIdle(): void {
    if (!this.isIdle) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }
}

/** Four times as long each time, and between half and all of it by chance, so that not all come back at once. */
const delayMs = (firstMs: number, failures: number, random: () => number): number =>
  Math.round(firstMs * 4 ** (failures - 1) * (0.5 + random() / 2));
