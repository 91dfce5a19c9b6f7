import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@parley/client';
import type { Message } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import type { Fickle } from './sender.ts';
import type { Tally } from './tally.ts';

/** Messages per batch; the next batch is scheduled when all of one are sent. */
const BATCH = 20;
/** Delay of the first message of a batch, and between two of them: kills fall before, between and after them. */
const DELAY_MS = 1_000;
const STEP_MS = 50;
const LOOK_MS = 200;

/** Schedules messages continuously, for the next seconds. */
export class Scheduler {
  /** The texts of all scheduled messages. */
  readonly texts: string[] = [];
  readonly #service: Fickle;
  readonly #tally: Tally;
  readonly #actor: Actor;
  readonly #chatId: string;

  constructor(service: Fickle, tally: Tally, actor: Actor, chatId: string) {
    this.#service = service;
    this.#tally = tally;
    this.#actor = actor;
    this.#chatId = chatId;
  }

  async run(): Promise<void> {
    while (!this.#tally.isStopping) {
      for (let step = 1; step <= BATCH; step += 1) {
        const text = `scheduled ${this.texts.length + 1}`;
        this.texts.push(text);
        await this.#service.insist(() => this.#schedule(text, DELAY_MS + step * STEP_MS));
      }
      while (!(await this.#allSent())) await pause(LOOK_MS);
    }
  }

  /** The messages that the service did not send exactly once. */
  wrong(history: readonly Message[]): string[] {
    const sent = Map.groupBy(history, ({ content }) => content);
    return this.texts.filter((text) => sent.get(text)?.length !== 1);
  }

  async #schedule(text: string, delayMs: number): Promise<void> {
    const send_at = new Date(Date.now() + delayMs).toISOString();
    try {
      await this.#actor.api.scheduleMessage({ chat_id: this.#chatId, text, client_msg_id: text, send_at });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The time had passed before the service answered: the next attempt names a later one.
      if (error.parameters['field'] === 'send_at') throw new Error('it is too late', { cause: error });
      // An earlier attempt stored it, and it was sent meanwhile.
      if (error.status !== 409) throw error;
    }
  }

  /** Whether no message waits; one that could not be sent is a problem. */
  async #allSent(): Promise<boolean> {
    const { items } = await this.#service.insist(() => this.#actor.api.getScheduledMessages());
    const failed = items.filter((item) => item.failed);
    for (const item of failed) this.#service.report(`"${item.text}" was not sent: ${item.failed?.message}`);
    return failed.length === items.length;
  }
}
