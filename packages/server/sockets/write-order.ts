import type { Awaitable } from '../store/sql.ts';

const nothing = (): void => {};

/** What has been begun. */
export interface Act<Result> {
  done: Promise<Result>;
  /** Only at its end has it surely taken effect: on another node, or behind reads that take their time. */
  takesTime: boolean;
}

/** Resolves when what comes later comes behind it. */
async function ended<Result>(act: Act<Result>): Promise<Act<Result>> {
  if (act.takesTime) await act.done.catch(nothing);
  return act;
}

/** The writes of one socket: they take effect in the order in which they came, whatever they wait for (SOCKET-4). */
export class WriteOrder {
  /** What a write has to wait for before it is handed over; null as a rule. */
  pending: Promise<void> | null = null;
  /** The last write that was handed to the store, until it has taken effect. */
  #last: Promise<unknown> | null = null;

  /** Notes a write that is handed to the store, which keeps their order. */
  note<Result>(write: Promise<Result>): Promise<Result> {
    this.#last = write;
    const forget = (): void => {
      if (this.#last === write) this.#last = null;
    };
    write.then(forget, forget);
    return write;
  }

  /** Prepares at once, and writes behind everything that came before. `write` hands over at its call. */
  async run<Prepared>(
    prepare: () => Awaitable<Prepared>,
    write: (prepared: Prepared) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const before = this.pending;
    return this.#hold(async () => {
      const prepared = (async () => prepare())();
      // Also one that is refused: what comes behind it has not passed what came before it.
      await Promise.allSettled([prepared, before]);
      return { done: write(await prepared) };
    });
  }

  /** Acts once everything that came before has taken effect, also what the store is still writing. */
  follow<Result>(act: () => Act<Result>): Promise<Result> {
    const before = this.pending;
    if (!before && !this.#last) {
      const begun = act();
      return begun.takesTime ? this.#hold(() => ended(begun)) : begun.done;
    }
    return this.#hold(async () => {
      await before;
      await this.#last?.catch(nothing);
      return ended(act());
    });
  }

  /** What comes later waits until this one is handed over. */
  async #hold<Result>(handOver: () => Promise<{ done: Promise<Result> }>): Promise<Result> {
    const handed = handOver();
    const pending = handed.then(nothing, nothing);
    this.pending = pending;
    void pending.then(() => {
      if (this.pending === pending) this.pending = null;
    });
    return (await handed).done;
  }
}
