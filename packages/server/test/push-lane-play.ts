import { ManualClock } from '@parley/testing';
import type { LaneLimits } from '../push/lane-limits.ts';
import type { Job } from '../push/lane.ts';
import { Lanes } from '../push/lanes.ts';
import type { QueuedMessage } from '../push/queued-message.ts';

type Outcome = 'done' | { retryAfterMs: number | undefined };

interface Place {
  service?: string;
  account?: number;
  chat?: number;
}

/** Lanes whose jobs end when a test says so. A job has the name of its newest message. */
export class LanePlay {
  readonly clock = new ManualClock();
  readonly lanes: Lanes;
  readonly started: string[] = [];
  readonly ended: string[] = [];
  /** Services that were full and have room again. */
  readonly room: string[] = [];
  readonly #names: string[] = [];
  readonly #running = new Map<string, { job: Job; settle: PromiseWithResolvers<Outcome> }>();

  constructor(limits?: LaneLimits) {
    this.lanes = new Lanes({
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

  /** Alone in its conversation, and with its token alone in its account, where nothing else is said. */
  add(name: string, tokenKey: number, { service = 'one', account = tokenKey, chat = 0 }: Place = {}): boolean {
    const messageKey = this.#names.push(name);
    const chatKey = chat === 0 ? -messageKey : chat;
    const message = { messageKey, chatKey, senderKey: 0, isLate: false };
    return this.lanes.add({ tokenKey, accountKey: account, service, chatKey, messages: [message] });
  }

  /** What is shown of the conversation is to be taken back. Such a job has no name. */
  takeBack(tokenKey: number, chat: number, { service = 'one', account = tokenKey }: Place = {}): boolean {
    return this.lanes.add({ tokenKey, accountKey: account, service, chatKey: chat, messages: [] });
  }

  /** What the job that is under way is about. */
  about(name: string): string[] {
    return (this.#running.get(name)?.job.messages ?? []).map((message) => this.#nameOf(message));
  }

  get running(): string[] {
    return [...this.#running.keys()];
  }

  async finish(name: string, outcome: Outcome = 'done'): Promise<void> {
    this.#running.get(name)?.settle.resolve(outcome);
    this.#running.delete(name);
    await this.turns();
  }

  async breakOff(name: string): Promise<void> {
    this.#running.get(name)?.settle.reject(new Error('broken'));
    await this.turns();
  }

  /** What was set going has begun. */
  async turns(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await this.clock.advance(0);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.turns();
  }

  #nameOf(message: QueuedMessage | undefined): string {
    return message ? (this.#names[message.messageKey - 1] ?? '') : 'take back';
  }
}
