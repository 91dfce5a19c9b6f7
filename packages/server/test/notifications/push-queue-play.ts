import { ManualClock } from '@parley/testing';
import type { DeliveryLimits } from '../../push/delivery-limits.ts';
import type { Job } from '../../push/delivery-queue.ts';
import { DeliveryQueues } from '../../push/delivery-queues.ts';
import type { QueuedMessage } from '../../push/queued-message.ts';

type Outcome = 'done' | { retryAfterMs: number | undefined };

interface Place {
  service?: string;
  account?: number;
  chat?: number;
}

/** Delivery queues whose jobs end when the test says so. A job is named after its newest message. */
export class QueuePlay {
  readonly clock = new ManualClock();
  readonly queues: DeliveryQueues;
  readonly started: string[] = [];
  readonly ended: string[] = [];
  /** Push services that were full and have room again. */
  readonly room: string[] = [];
  readonly #names: string[] = [];
  readonly #running = new Map<string, { job: Job; settle: PromiseWithResolvers<Outcome> }>();

  constructor(limits?: DeliveryLimits) {
    this.queues = new DeliveryQueues({
      clock: this.clock,
      random: () => 1, // the longest delays
      run: (job) => {
        const name = this.#nameOf(job.messages.at(-1));
        this.started.push(name);
        const settle = Promise.withResolvers<Outcome>();
        this.#running.set(name, { job, settle });
        return settle.promise;
      },
      end: (messages) => this.ended.push(...messages.map((message) => this.#nameOf(message))),
      onRoom: (service) => this.room.push(service),
      ...(limits && { limits }),
    });
  }

  /** Adds a job; by default it has its own conversation, and its token its own account. */
  add(name: string, tokenKey: number, { service = 'one', account = tokenKey, chat = 0 }: Place = {}): boolean {
    const messageKey = this.#names.push(name);
    const chatKey = chat === 0 ? -messageKey : chat;
    const message = { messageKey, chatKey, senderKey: 0, isLate: false };
    return this.queues.add({ tokenKey, accountKey: account, service, chatKey, messages: [message] });
  }

  /** Adds a take-back, named 'take back'. */
  takeBack(tokenKey: number, chat: number, { service = 'one', account = tokenKey }: Place = {}): boolean {
    return this.queues.add({ tokenKey, accountKey: account, service, chatKey: chat, messages: [] });
  }

  /** The messages of the running job with this name. */
  about(name: string): string[] {
    return (this.#running.get(name)?.job.messages ?? []).map((message) => this.#nameOf(message));
  }

  get running(): string[] {
    return [...this.#running.keys()];
  }

  async finish(name: string, outcome: Outcome = 'done'): Promise<void> {
    this.#running.get(name)?.settle.resolve(outcome);
    this.#running.delete(name);
    await this.ticks();
  }

  async breakOff(name: string): Promise<void> {
    this.#running.get(name)?.settle.reject(new Error('broken'));
    await this.ticks();
  }

  /** Starts the jobs that are due. */
  async ticks(): Promise<void> {
    for (let tick = 0; tick < 3; tick += 1) await this.clock.advance(0);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.ticks();
  }

  #nameOf(message: QueuedMessage | undefined): string {
    return message ? (this.#names[message.messageKey - 1] ?? '') : 'take back';
  }
}
