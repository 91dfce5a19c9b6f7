import type { EventParams } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import { deferred } from '../deferred.ts';
import type { Clock } from '../environment.ts';
import type { Bot, InlineHandler } from './bot.ts';

/** How long the service waits for an answer. */
const WAIT_MS = 3_000;
const MAX_AT_ONCE = 100;
const MAX_RESULTS = 50;
const MAX_RESULT_BYTES = 4_096;

interface InlineParts {
  bot: Bot;
  client: Client;
  clock: Clock;
  handler: InlineHandler;
  log: (line: string) => void;
  onError: (error: unknown) => Promise<void>;
}

/** Answers inline queries. */
export class InlineQueries {
  readonly #parts: InlineParts;
  /** By user and conversation: a newer query aborts the older one. */
  readonly #open = new Map<string, AbortController>();
  readonly #sending = new Set<Promise<unknown>>();

  constructor(parts: InlineParts) {
    this.#parts = parts;
  }

  async answer(query: EventParams<'inlineQuery'>): Promise<void> {
    const { client, onError } = this.#parts;
    const results = await this.suggestions(query);
    if (!results) return;
    const sending = client.call('answerInlineQuery', { query_id: query.query_id, results });
    this.#sending.add(sending);
    try {
      await sending;
    } catch (error) {
      // The answer came too late.
      if (!(error instanceof ApiError && error.code === 'not_found')) await onError(error);
    } finally {
      this.#sending.delete(sending);
    }
  }

  /** The handler's suggestions, within the limits; null if they are no longer wanted. */
  async suggestions({ query, conversation_id, from }: EventParams<'inlineQuery'>): Promise<string[] | null> {
    const { bot, clock, handler, onError } = this.#parts;
    const place = `${conversation_id} ${from.username}`;
    this.#open.get(place)?.abort(new Error('the user typed more'));
    const stop = new AbortController();
    const { signal } = stop;
    let results: readonly string[] = [];
    if (this.#open.size < MAX_AT_ONCE) {
      this.#open.set(place, stop);
      const timer = clock.setTimer(() => stop.abort(new Error('the service no longer waits for suggestions')), WAIT_MS);
      const given = deferred<never>();
      signal.addEventListener('abort', () => given.reject(signal.reason));
      const context = { bot, query, conversationId: conversation_id, from, signal };
      try {
        results = await Promise.race([given.promise, (async () => handler(query, context))()]);
      } catch (error) {
        if (!signal.aborted) await onError(error);
      } finally {
        timer.cancel();
        if (this.#open.get(place) === stop) this.#open.delete(place);
      }
    }
    return signal.aborted ? null : this.#fitting(results);
  }

  stop(): void {
    for (const stop of this.#open.values()) stop.abort(new Error('the bot is stopping'));
  }

  /** Resolves when all answers being sent have arrived. */
  async sent(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  #fitting(results: readonly string[]): string[] {
    const fitting = results.filter((text) => new TextEncoder().encode(text).length <= MAX_RESULT_BYTES);
    const left = results.length - Math.min(fitting.length, MAX_RESULTS);
    if (left > 0) this.#parts.log(`${left} suggestions were left out: the limit is ${MAX_RESULTS} of 4 KiB each`);
    return fitting.slice(0, MAX_RESULTS);
  }
}
