import { unavailable } from '../../core/errors.ts';
import { PostgresConnection, type PostgresConnectionOptions } from './postgres.ts';

/** One connection for somebody: opened when it is first asked for, and again when it was lost. */
export class PostgresSeat {
  readonly #options: PostgresConnectionOptions;
  #connection: Promise<PostgresConnection> | null = null;
  #isClosed = false;

  constructor(options: PostgresConnectionOptions) {
    this.#options = options;
  }

  async get(): Promise<PostgresConnection> {
    if (this.#isClosed) throw unavailable('the service is stopping');
    const opening = (this.#connection ??= PostgresConnection.open(this.#options));
    try {
      const connection = await opening;
      if (!connection.lost) return connection;
    } catch (error) {
      this.#leave(opening);
      throw error;
    }
    this.#leave(opening);
    return this.get();
  }

  /** Waits for what is under way; none is opened any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** Unless somebody has opened another one meanwhile. */
  #leave(opening: Promise<PostgresConnection>): void {
    if (this.#connection === opening) this.#connection = null;
  }
}
