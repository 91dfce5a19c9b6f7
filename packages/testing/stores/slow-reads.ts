import type { Awaitable, Sql } from '@parley/server/store/sql.ts';
import { burn } from '../clocks/burn.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';

/** Pending reads of all services in this process. */
let underWay = 0;

/** Resolves when no counted read is pending; immediately if the store answers synchronously. */
export async function readsAnswered(): Promise<void> {
  while (underWay > 0) await turnOfLoop();
}

/** Wraps each call of the port. */
type Late = <Value>(ask: () => Awaitable<Value>, sql: string) => Promise<Value>;

const asLate = (read: Sql, late: Late): Sql => ({
  get: (statement, ...params) => late(() => read.get(statement, ...params), statement.sql),
  all: (statement, ...params) => late(() => read.all(statement, ...params), statement.sql),
  list: (statement, values, ...params) => late(() => read.list(statement, values, ...params), statement.sql),
  gather: (statement, keys) => late(() => read.gather(statement, keys), statement.sql),
  run: (statement, ...params) => late(() => read.run(statement, ...params), statement.sql),
});

const counted: Late = async (ask) => {
  underWay += 1;
  try {
    return await ask();
  } finally {
    underWay -= 1;
  }
};

/** Counts the reads of a remote store, so that tests that advance the time can wait for them. */
export const countedReads = (read: Sql): Sql => asLate(read, counted);

/** Counts the reads of a service. */
export class ReadCounter {
  reads = 0;

  readonly wrap = (read: Sql): Sql => {
    const count: Late = async (ask) => {
      this.reads += 1;
      return ask();
    };
    return asLate(read, count);
  };
}

/** Answers like a remote store: some ticks later, after reading at any moment in between. */
export function slowReads(read: Sql): Sql {
  let asked = 0;
  const slow: Late = (ask, sql) =>
    counted(async () => {
      asked += 1;
      const before = asked % 2;
      for (let turn = 0; turn < before; turn += 1) await turnOfLoop();
      const value = await ask();
      for (let turn = before; turn < 2; turn += 1) await turnOfLoop();
      return value;
    }, sql);
  return asLate(read, slow);
}

/** Lets a test hold back answers: a value that was read reaches its caller when the test releases it. */
export class HeldReads {
  #held: { part: string; asked: () => void; released: Promise<void> } | null = null;

  readonly wrap = (read: Sql): Sql => {
    const hold: Late = async (ask, sql) => {
      const held = this.#held;
      if (!held || !sql.includes(held.part)) return ask();
      this.#held = null;
      const value = await ask();
      held.asked();
      await held.released;
      return value;
    };
    return asLate(read, hold);
  };

  /** Holds the next statement that contains `part`: `asked` resolves when it has been read. */
  hold(part: string): { asked: Promise<void>; release: () => void } {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#held = { part, asked: asked.resolve, released: released.promise };
    return { asked: asked.promise, release: released.resolve };
  }
}

/** Reads that hold the thread. */
export class BurningReads {
  /** So many of the following reads use the processor for 60 ms. */
  left = 0;

  readonly wrap = (read: Sql): Sql =>
    asLate(read, async (ask) => {
      if (this.left > 0) {
        this.left -= 1;
        burn(60);
      }
      return ask();
    });
}

/** Makes a read fail, as one of a database that is not there for a moment. */
export class FailingReads {
  #part: string | null = null;

  readonly wrap = (read: Sql): Sql => {
    const fail: Late = async (ask, sql) => {
      if (this.#part === null || !sql.includes(this.#part)) return ask();
      this.#part = null;
      throw new Error('this read fails');
    };
    return asLate(read, fail);
  };

  /** The next statement that contains `part` fails. */
  fail(part: string): void {
    this.#part = part;
  }
}
