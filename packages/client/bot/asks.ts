import type { Decision, EventParams, Message } from '@parley/protocol';
import { msSince } from '@parley/protocol/dates';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import type { Timer } from '../environment.ts';
import { deferred, type Deferred } from '../deferred.ts';
import { type AskedBy, askedBy } from './questions.ts';
import { RecentIds } from './recent-ids.ts';
import { type Pace, persist } from './retries.ts';
import { TurnStopped } from './turn-stopped.ts';

/** How long a daemon whose handler waits has to go on, before another one takes its place. */
const OTHERS_MS = 1_000;
/** Answers that are older when a daemon starts are left. */
const HEEDED_WITHIN_MS = 7 * 86_400_000;
const PAGE = 200;
const MAX_PAGES = 10;
const REMEMBERED = 10_000;

interface AsksParts extends Pace {
  client: Pick<Client, 'call'>;
  username: () => string;
  /** Runs the handler again that has asked, as no daemon may wait for the answer any more. */
  resume: (question: Message, by: AskedBy) => Promise<void>;
  onError: (error: unknown) => void;
}

interface Waiting {
  asked: Decision;
  chatId: string;
  end: Deferred<Decision>;
}

/** The questions of a bot: the handlers of this daemon that wait, and answers for which no handler waits. */
export class Asks {
  readonly #parts: AsksParts;
  readonly #waiting = new Map<string, Waiting>();
  /** Decisions that ended before their handler began to wait. */
  readonly #ended = new Map<string, Decision>();
  readonly #taken = new RecentIds(REMEMBERED);
  readonly #timers = new Map<Timer, () => void>();
  /** Answers that are being taken up. */
  readonly #taking = new Set<Promise<void>>();
  #isStopped = false;

  constructor(parts: AsksParts) {
    this.#parts = parts;
  }

  /** Resolves to the decision once it has ended; rejects when the signal fires. Holds no timer and no call. */
  async ended({ conversation_id: chatId }: Message, asked: Decision, signal: AbortSignal): Promise<Decision> {
    const known = asked.state === 'open' ? this.#ended.get(asked.id) : asked;
    if (known) return known;
    const end = deferred<Decision>();
    this.#waiting.set(asked.id, { asked, chatId, end });
    const stop = (): void => end.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await end.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(asked.id);
    }
  }

  /** Called with each decision that has ended, also of other accounts. */
  note({ message_id: id, decision }: Pick<EventParams<'decisionUpdated'>, 'message_id' | 'decision'>): void {
    if (decision.state === 'open' || this.#isStopped) return;
    const waiting = this.#waiting.get(id);
    if (waiting) {
      // Nobody else takes it up, when the daemon looks back later.
      this.#taken.add(id);
      return waiting.end.resolve(decision);
    }
    if (!this.#taken.add(id)) return;
    this.#remember(id, decision);
    const due = deferred<void>();
    const timer = this.#parts.clock.setTimer(() => due.resolve(), this.#patience(decision));
    this.#timers.set(timer, due.resolve);
    const taking = due.promise
      .then(() => {
        this.#timers.delete(timer);
        return this.#fetch(id);
      })
      .catch(this.#parts.onError);
    this.#taking.add(taking);
    void taking.finally(() => this.#taking.delete(taking));
  }

  /** Called with messages that were deleted: nobody can answer a deleted question. */
  drop(ids: readonly string[]): void {
    for (const id of ids) {
      const waiting = this.#waiting.get(id);
      waiting?.end.resolve({ ...waiting.asked, state: 'withdrawn' });
    }
  }

  /** Called when the bot is no longer in a conversation. */
  leave(chatId: string): void {
    for (const waiting of this.#waiting.values())
      if (waiting.chatId === chatId) waiting.end.reject(new TurnStopped('over'));
  }

  /** Finds answers that no event reports: those from before the log that is read. */
  async lookBack(): Promise<void> {
    await this.#lookAtWaiting();
    const { clock } = this.#parts;
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && !this.#isStopped; page += 1) {
      const { items, next_cursor } = await this.#page(cursor);
      for (const question of items) {
        const { id, decision, created_at } = question;
        if (!decision || !askedBy(question)) continue;
        const at = endOf(decision) ?? Date.parse(created_at);
        if (decision.state === 'open' || msSince(at, clock.now()) > HEEDED_WITHIN_MS) continue;
        if (this.#waiting.has(id) || this.#patience(decision) > 0) this.note({ message_id: id, decision });
        else if (this.#taken.add(id)) await this.#take(question).catch(this.#parts.onError);
      }
      if (next_cursor === undefined) return;
      cursor = next_cursor;
    }
  }

  /** Resolves when no answer is being taken up. */
  async idle(): Promise<void> {
    await Promise.all(this.#taking);
  }

  stop(): void {
    this.#isStopped = true;
    for (const [timer, end] of this.#timers) {
      timer.cancel();
      end();
    }
  }

  async #page(cursor: string | undefined): Promise<{ items: Message[]; next_cursor?: string | undefined }> {
    const { client } = this.#parts;
    try {
      return await persist(this.#parts, () =>
        client.call('getDecisions', { limit: PAGE, ...(cursor !== undefined && { cursor }) }),
      );
    } catch (error) {
      // A service of before decisions has none.
      if (error instanceof ApiError && error.status === 404) return { items: [] };
      throw error;
    }
  }

  /** What became of the questions for which handlers of this daemon wait. */
  async #lookAtWaiting(): Promise<void> {
    const ids = [...this.#waiting.keys()];
    for (let at = 0; at < ids.length; at += PAGE) {
      const asked = ids.slice(at, at + PAGE);
      const { items } = await persist(this.#parts, () =>
        this.#parts.client.call('getMessages', { message_ids: asked }),
      );
      const found = new Map(items.map(({ id, decision }) => [id, decision]));
      for (const id of asked) {
        const decision = found.get(id);
        if (decision) this.note({ message_id: id, decision });
        else this.drop([id]);
      }
    }
  }

  /** How long to leave the answer to a daemon whose handler waits. */
  #patience(decision: Decision): number {
    const at = endOf(decision);
    if (at === undefined) return OTHERS_MS;
    const sinceMs = Math.max(0, msSince(at, this.#parts.clock.now()));
    return Math.max(0, OTHERS_MS - sinceMs);
  }

  async #fetch(id: string): Promise<void> {
    if (this.#waiting.has(id) || this.#isStopped) return;
    const { client } = this.#parts;
    const { items } = await persist(this.#parts, () => client.call('getMessages', { message_ids: [id] }));
    // The question may have been deleted since.
    if (items[0]) await this.#take(items[0]);
  }

  async #take(question: Message): Promise<void> {
    const { username, resume } = this.#parts;
    const by = question.sender.username === username() ? askedBy(question) : null;
    if (!question.decision || !by || this.#waiting.has(question.id) || this.#isStopped) return;
    await resume(question, by);
  }

  #remember(id: string, decision: Decision): void {
    this.#ended.set(id, decision);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }
}

/** When a decision ended, in milliseconds; undefined if the service does not say. */
function endOf({ state, decided_at, expires_at }: Decision): number | undefined {
  const at = state === 'expired' ? expires_at : decided_at;
  return at === undefined ? undefined : Date.parse(at);
}
