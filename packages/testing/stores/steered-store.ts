import { Sequence } from '@parley/server/commits/sequence.ts';
import { unitHandlers } from '@parley/server/service/unit-handlers.ts';
import { SqliteConnection } from '@parley/server/store/engines/sqlite.ts';
import type { StoreThreadOptions } from '@parley/server/commits/engines/sqlite-thread.ts';
import { SqliteUnits } from '@parley/server/commits/engines/sqlite-units.ts';
import type { UnitHandler } from '@parley/server/commits/unit-context.ts';
import type { Batch, UnitRequest, UnitRunner } from '@parley/server/commits/unit-runner.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';

/** Without a position: the store flushes each commit by itself. */
type SteeredOptions = Pick<StoreThreadOptions, 'file' | 'sequence' | 'settings'>;

/** The embedded store on the test's own thread, where a test can fill its disk and make its commits fail. */
export class SteeredStore {
  readonly #handlers: ReadonlyMap<string, UnitHandler>;
  readonly #onOpen: (connection: SqliteConnection) => void;
  #connection: SqliteConnection | null = null;
  #failing = false;

  constructor(
    handlers: ReadonlyMap<string, UnitHandler> = unitHandlers,
    onOpen: (connection: SqliteConnection) => void = () => {},
  ) {
    this.#handlers = handlers;
    this.#onOpen = onOpen;
  }

  /** For `createWorld({ startStore })`. Units posted in one tick form one batch. */
  readonly start = async (options: SteeredOptions): Promise<UnitRunner> => {
    const connection = this.#open(options.file);
    const units = new SqliteUnits(connection, new Sequence(options.sequence), options.settings, this.#handlers);
    let waiting: UnitRequest[] = [];
    let work: Promise<void> = Promise.resolve();
    let delivery: Promise<void> = Promise.resolve();
    // Batches are delivered some ticks after their commit, as from a thread; later ones may be committed by then.
    const deliver = (batch: Batch): void => {
      delivery = delivery.then(turnOfLoop).then(() => runner.onBatch(batch));
    };
    let closed: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      for (let seen; seen !== work;) {
        await turnOfLoop();
        seen = work;
        await work;
      }
      await delivery;
      connection.close();
    };
    const runner: UnitRunner = {
      onBatch: () => {},
      onFailure: () => {},
      post(requests) {
        if (waiting.length === 0)
          setImmediate(() => {
            const batch = waiting;
            waiting = [];
            work = work.then(async () => deliver(await units.run(batch)));
          });
        waiting.push(...requests);
      },
      close: () => (closed ??= close()),
    };
    return runner;
  };

  /** No more pages can be allocated: SQLite itself reports that the disk is full. */
  fillDisk(): void {
    const pages = this.#pragma('page_count');
    this.#pragma(`max_page_count = ${pages}`);
  }

  freeDisk(): void {
    this.#pragma('max_page_count = 1073741823');
  }

  /** Every COMMIT fails, as with a disk error. */
  failCommits(isFailing: boolean): void {
    this.#failing = isFailing;
  }

  #open(file: string): SqliteConnection {
    const connection = new SqliteConnection(file);
    const control = connection.control.bind(connection);
    connection.control = (sql) => {
      if (sql === 'COMMIT' && this.#failing) throw new Error('disk I/O error');
      control(sql);
    };
    this.#onOpen(connection);
    this.#connection = connection;
    return connection;
  }

  #pragma(text: string): number {
    const row = this.#connection?.get<Record<string, number>, []>({ sql: `PRAGMA ${text}` });
    return Object.values(row ?? {})[0] ?? 0;
  }
}
