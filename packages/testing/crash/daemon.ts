import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@parley/client';
import type { Actor } from '../world/actor.ts';
import { DaemonStream } from '../world/daemon-stream.ts';
import type { Fickle } from './sender.ts';
import type { Tally } from './tally.ts';

const PIECES = 12;

/** Writes one reply after another, and continues each from where the service says that it ends. */
export class CrashDaemon {
  /** Finished replies with their texts and thoughts, by id. */
  readonly finished = new Map<string, { text: string; thoughts: string }>();
  readonly #service: Fickle;
  readonly #tally: Tally;
  readonly #bot: Actor;
  readonly #chatId: string;

  readonly #paceMs: number;

  /** `paceMs`: pause after each piece of a reply. */
  constructor(service: Fickle, tally: Tally, bot: Actor, chatId: string, paceMs = 0) {
    this.#service = service;
    this.#tally = tally;
    this.#bot = bot;
    this.#chatId = chatId;
    this.#paceMs = paceMs;
  }

  async run(): Promise<void> {
    for (let number = 1; !this.#tally.isStopping; number += 1) await this.#reply(number);
  }

  async #reply(number: number): Promise<void> {
    const { api } = this.#bot;
    const start = { chat_id: this.#chatId, client_msg_id: `reply ${number}` };
    const stream = new DaemonStream(api, await this.#service.insist(() => api.startMessageStream(start)));
    for (let piece = 0; piece < PIECES; piece += 1) {
      await this.#service.insist(() => stream.append(`${number}.${piece} ñ🙂 `));
      await this.#service.insist(() => stream.think(`${piece} `));
      if (this.#paceMs > 0) await pause(this.#paceMs);
    }
    await this.#service.insist(() => this.#finish(stream));
    this.finished.set(stream.id, { text: stream.text, thoughts: stream.thoughts.get('thought') ?? '' });
    this.#tally.acknowledge();
  }

  async #finish(stream: DaemonStream): Promise<void> {
    try {
      await stream.append('');
      await stream.think('');
      await stream.finish();
    } catch (error) {
      // The service may have stored the end and died before it answered.
      const { items } = error instanceof ApiError && error.status === 409 ? await this.#look(stream) : { items: [] };
      if (items[0]?.status === 'streaming') throw new Error('it is being ended', { cause: error });
      if (items[0]?.status !== 'complete') throw error;
    }
  }

  #look(stream: DaemonStream) {
    return this.#bot.api.getMessages({ message_ids: [stream.id] });
  }
}
