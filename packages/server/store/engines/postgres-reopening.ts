import { unavailable } from '../../core/errors.ts';
import { PostgresConnection, type PostgresConnectionOptions } from './postgres.ts';

/** A connection that is opened when it is first needed, and opened again after it was lost. */
export class ReopeningConnection {
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
      this.#discard(opening);
      throw error;
    }
    this.#discard(opening);
    return this.get();
  }

  /** Waits for pending statements. From then on `get` rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** Discards a lost connection, unless another call has already opened a new one. */
  #discard(opening: Promise<PostgresConnection>): void {
    if (this.#connection === opening) this.#connection = null;
  }
}
