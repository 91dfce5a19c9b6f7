import type { Awaitable } from './awaitable.ts';
import type { BotContext, Middleware } from './bot.ts';
import { deferred } from '../deferred.ts';
import { timelineIdOf } from '../store/timeline-id.ts';
import type { Pause } from './seat.ts';
import { Turn } from './turn.ts';

/** Where sessions are kept. */
export interface SessionStorage<Session> {
  read(key: string): Awaitable<Session | undefined>;
  write(key: string, session: Session): Awaitable<unknown>;
  delete(key: string): Awaitable<unknown>;
}

/** A session is JSON: a Map, a Set or a Date in it is not stored as such. */
export interface SessionOptions<Session> {
  /** The session of a new key. */
  initial: () => Session;
  /** Whose session it is; by default the timeline's. Undefined: this message has none. */
  key?: (ctx: BotContext<Session>) => string | undefined;
  /** By default the memory of the process, with the 10,000 sessions used last. */
  storage?: SessionStorage<Session>;
}

const MAX_IN_MEMORY = 10_000;

/** Keeps copies, so that only what a handler has completed is stored. */
export class MemorySessions<Session> implements SessionStorage<Session> {
  readonly #byKey = new Map<string, Session>();

  read(key: string): Session | undefined {
    const session = this.#byKey.get(key);
    if (session === undefined) return undefined;
    this.write(key, session);
    return structuredClone(session);
  }

  /** The key becomes the newest; the oldest is dropped if there are too many. */
  write(key: string, session: Session): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, structuredClone(session));
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > MAX_IN_MEMORY && oldest !== undefined) this.#byKey.delete(oldest);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}

/**
 * Reads the session before the handlers and writes it after them if it has changed; if a handler throws, nothing is
 * written. Messages with one key are handled one after another.
 */
export function withSession<Session>({
  initial,
  key: keyOf = ({ message }) => timelineIdOf(message),
  storage = new MemorySessions<Session>(),
}: SessionOptions<Session>): Middleware<Session> {
  const busy = new Map<string, Promise<unknown>>();
  return async (ctx, next) => {
    const key = keyOf(ctx);
    if (key === undefined) return next();
    const visit = new Visit({ initial, storage, busy, key, ctx });
    await visit.enter();
    // While it waits for people, others have the session.
    if (ctx instanceof Turn) ctx.onPause(visit);
    try {
      await next();
    } catch (error) {
      visit.release();
      throw error;
    }
    return visit.leave();
  };
}

interface VisitParts<Session> extends Required<Pick<SessionOptions<Session>, 'initial' | 'storage'>> {
  busy: Map<string, Promise<unknown>>;
  key: string;
  ctx: BotContext<Session>;
}

/** A turn's use of its session, which nobody else has meanwhile. */
class Visit<Session> implements Pause {
  readonly #parts: VisitParts<Session>;
  #stored: Session | undefined;
  #known: string | undefined;
  #release: (() => void) | null = null;

  constructor(parts: VisitParts<Session>) {
    this.#parts = parts;
  }

  async enter(): Promise<void> {
    const { initial, storage, busy, key, ctx } = this.#parts;
    const before = busy.get(key);
    const over = deferred<void>();
    busy.set(key, over.promise);
    this.#release = () => {
      over.resolve();
      if (busy.get(key) === over.promise) busy.delete(key);
    };
    await before;
    try {
      this.#stored = await storage.read(key);
    } catch (error) {
      this.release();
      throw error;
    }
    this.#known = JSON.stringify(this.#stored);
    ctx.session = this.#stored ?? initial();
  }

  async leave(): Promise<void> {
    // A handler that does not wait for its question has left before.
    if (!this.#release) return;
    const { storage, key, ctx } = this.#parts;
    try {
      if (ctx.session === undefined || ctx.session === null) {
        if (this.#stored !== undefined) await storage.delete(key);
      } else if (JSON.stringify(ctx.session) !== this.#known) await storage.write(key, ctx.session);
    } finally {
      this.release();
    }
  }

  release(): void {
    this.#release?.();
    this.#release = null;
  }
}
