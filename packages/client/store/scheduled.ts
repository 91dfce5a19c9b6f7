import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import type { Scheduled } from './store.ts';

const none: Scheduled = { messages: [], reminders: [], schedules: [] };

/** A service before feature level 14 has no schedules. */
function noSchedules(error: unknown): { items: [] } {
  if (error instanceof ApiError && error.status === 404) return { items: [] };
  throw error;
}

/** What the account has scheduled: loaded when an app first asks for it, and again after each change. */
export class ScheduledTable {
  /** One value, under the empty key. */
  readonly family: CellFamily<Scheduled>;
  readonly #client: Client;
  readonly #changes: Changes;
  #loading: Promise<void> | null = null;
  /** An app has asked for it. */
  #isWanted = false;
  #isLoaded = false;
  #isStale = false;

  constructor(changes: Changes, client: Client) {
    this.family = new CellFamily(changes, () => none);
    this.#client = client;
    this.#changes = changes;
  }

  /** Loads the lists, unless they are loaded or being loaded. */
  load(): Promise<void> {
    this.#isWanted = true;
    return this.#isLoaded ? Promise.resolve() : this.#fetch();
  }

  /** Something has changed on the service, or events may have been missed. */
  changed(): void {
    if (!this.#isWanted) return;
    if (this.#loading) this.#isStale = true;
    else this.#fetch().catch(() => {});
  }

  /** Loads the lists if the last load failed. To be called once the client is live. */
  retry(): void {
    if (this.#isWanted && !this.#isLoaded) this.#fetch().catch(() => {});
  }

  #fetch(): Promise<void> {
    this.#loading ??= this.#fetchAll().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #fetchAll(): Promise<void> {
    do {
      this.#isStale = false;
      try {
        const [{ items: messages }, { items: reminders }, { items: schedules }] = await Promise.all([
          this.#client.call('getScheduledMessages'),
          this.#client.call('getReminders'),
          this.#client.call('getSchedules').catch(noSchedules),
        ]);
        this.#changes.run(() => this.family.set('', { messages, reminders, schedules }));
        this.#isLoaded = true;
      } catch (error) {
        // The next change, the next connection, or the next time that an app asks, loads them.
        this.#isLoaded = false;
        throw error;
      }
    } while (this.#isStale);
  }
}
