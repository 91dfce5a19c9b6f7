import { unavailable } from './errors.ts';

/** Maximum pieces of work per owner that wait or run. */
const MAX_OF_OWNER = 200;

interface Line {
  count: number;
  /** Settles when the newest piece has ended; never rejects. */
  end: Promise<unknown>;
}

/** Runs the costly reads of each owner (a human with its bots) one after another; owners do not wait for each other. */
export class OwnerQueues {
  readonly #lines = new Map<number, Line>();

  async run<Result>(ownerKey: number, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(ownerKey) ?? { count: 0, end: Promise.resolve() };
    if (line.count >= MAX_OF_OWNER) throw unavailable('too many searches for names at once; try again');
    this.#lines.set(ownerKey, line);
    line.count += 1;
    const result = line.end.then(work);
    line.end = result.catch(() => {});
    try {
      return await result;
    } finally {
      line.count -= 1;
      if (line.count === 0) this.#lines.delete(ownerKey);
    }
  }
}
