import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import { PostgresUnits, type PostgresUnitsOptions } from '@parley/server/commits/engines/postgres-units.ts';
import type { UnitHandler } from '@parley/server/commits/unit-context.ts';
import { defaultSettings } from '@parley/server/core/settings.ts';
import type { Batch, UnitOutcome, UnitRequest } from '@parley/server/commits/unit-runner.ts';
import { postgresForTests, type TestDatabase } from './postgres.ts';

const addNode = { sql: "INSERT INTO nodes (name) VALUES ('test') RETURNING key" };

/** Stands in for the log: counts the transient events that wait for numbers. */
export class Grants {
  waiting = 0;
  promised = 0;

  take(): number {
    const count = this.waiting - this.promised;
    this.promised = this.waiting;
    return count;
  }

  giveBack(count: number): void {
    this.promised -= count;
  }

  /** Records that this many transient events have received their numbers. */
  given(count: number): void {
    this.waiting -= count;
    this.promised -= count;
  }
}

/** A node's runner on its own database, and the batches that it has reported. */
export class UnitsOnPostgres {
  readonly database: TestDatabase;
  readonly read: PostgresConnection;
  readonly grants = new Grants();
  readonly failures: Error[] = [];
  readonly faults: unknown[] = [];
  node = 0;
  units!: PostgresUnits; // set by `open`
  readonly #handlers: ReadonlyMap<string, UnitHandler>;
  readonly #waiting = new Map<number, (outcome: UnitOutcome) => void>();
  #onBatch: (batch: Batch) => void = () => {};

  private constructor(database: TestDatabase, read: PostgresConnection, handlers: ReadonlyMap<string, UnitHandler>) {
    this.database = database;
    this.read = read;
    this.#handlers = handlers;
  }

  static async open(
    handlers: ReadonlyMap<string, UnitHandler>,
    options: Partial<PostgresUnitsOptions> = {},
    given?: TestDatabase,
  ): Promise<UnitsOnPostgres> {
    const database = given ?? (await (await postgresForTests()).createDatabase());
    const read = await PostgresConnection.open({ url: database.url, name: 'test' });
    const made = new UnitsOnPostgres(database, read, handlers);
    await made.start(options);
    return made;
  }

  async start(options: Partial<PostgresUnitsOptions> = {}): Promise<void> {
    const row = await this.read.get<{ key: number }, []>(addNode);
    this.node = row?.key ?? 0;
    this.units = new PostgresUnits({
      connect: () => PostgresConnection.open({ url: this.database.url, name: 'units' }),
      nodeKey: () => this.node,
      settings: defaultSettings,
      handlers: this.#handlers,
      grants: this.grants,
      onFault: (error) => this.faults.push(error),
      ...options,
    });
    this.units.onFailure = (error) => this.failures.push(error);
    this.units.onBatch = (batch) => {
      this.grants.given(batch.granted);
      for (const outcome of batch.outcomes) {
        this.#waiting.get(outcome.id)?.(outcome);
        this.#waiting.delete(outcome.id);
      }
      this.#onBatch(batch);
    };
  }

  /** The outcome of one unit. */
  outcome(request: UnitRequest): Promise<UnitOutcome> {
    return new Promise((resolve) => {
      this.#waiting.set(request.id, resolve);
      this.units.post([request]);
    });
  }

  /** The next reported batch. */
  nextBatch(): Promise<Batch> {
    return new Promise((resolve) => {
      this.#onBatch = (batch) => {
        this.#onBatch = () => {};
        resolve(batch);
      };
    });
  }

  async close(): Promise<void> {
    await this.units.close();
    await this.read.close();
    await this.database.drop();
  }
}
