import type { Awaitable } from '../store/sql.ts';

const nothing = (): void => {};

/** An action that has been started. */
export interface Act<Result> {
  done: Promise<Result>;
  /** True if the action takes effect only when `done` settles: it runs on another node, or after slow reads. */
  takesTime: boolean;
}

/** Resolves when later writes may follow. */
async function ended<Result>(act: Act<Result>): Promise<Act<Result>> {
  if (act.takesTime) await act.done.catch(nothing);
  return act;
}

/** Makes the writes of one socket take effect in the order in which they arrived (SOCKET-4). */
export class WriteOrder {
  /** What a write must wait for before it is passed to the store; usually null. */
  pending: Promise<void> | null = null;
  /** The last write passed to the store, until it has taken effect. */
  #last: Promise<unknown> | null = null;

  /** True if no write is pending. */
  get isIdle(): boolean {
    return this.pending === null && this.#last === null;
  }

  /** Records a write passed to the store, which keeps the order of writes. */
  note<Result>(write: Promise<Result>): Promise<Result> {
    this.#last = write;
    const forget = (): void => {
      if (this.#last === write) this.#last = null;
    };
    write.then(forget, forget);
    return write;
  }

  /** Calls `prepare` immediately, and `write` after all earlier writes; `write` passes its write on synchronously. */
  async run<Prepared>(
    prepare: () => Awaitable<Prepared>,
    write: (prepared: Prepared) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const before = this.pending;
    return this.#hold(async () => {
      const prepared = (async () => prepare())();
      // A refused write waits, too: otherwise those after it could overtake those before it.
      await Promise.allSettled([prepared, before]);
      return { done: write(await prepared) };
    });
  }

  /** Calls `act` once everything before it has taken effect, including writes in the store. */
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

  /** Makes later writes wait until this one has been passed on. */
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
