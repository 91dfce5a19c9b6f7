import type { Privacy } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';

/**
 * What the account shares, and whether it wants previews of links. Loaded while it has subscribers; what was known last
 * stays until then.
 */
export class PrivacyBox {
  readonly cell: Cell<Privacy | undefined>;
  readonly #family: CellFamily<Privacy | undefined>;
  readonly #changes: Changes;
  readonly #client: Client;
  #isLoading = false;
  /** Counts loads and events: only the answer of the newest load counts, unless an event came after it began. */
  #count = 0;
  /** False until it is loaded, and after a reconnect, because an event may be missing. */
  #isCurrent = false;

  constructor(changes: Changes, client: Client) {
    this.#changes = changes;
    this.#client = client;
    this.#family = new CellFamily<Privacy | undefined>(
      changes,
      () => undefined,
      () => {
        if (!this.#isCurrent && !this.#isLoading) this.load();
      },
    );
    this.cell = this.#family.cell('');
  }

  /** Loads it again, unless it has no subscribers: then the next one does. An event that arrives meanwhile is newer. */
  load(): void {
    this.#isCurrent = false;
    const own = (this.#count += 1);
    this.#isLoading = this.#client.state === 'live' && this.#family.isObserved('');
    if (!this.#isLoading) return;
    this.#client.call('getPrivacy').then(
      (privacy) => {
        if (own === this.#count) this.#changes.run(() => this.receive(privacy));
      },
      // A reconnect loads it.
      () => {
        if (own === this.#count) this.#isLoading = false;
      },
    );
  }

  receive(privacy: Privacy): void {
    this.#count += 1;
    this.#isLoading = false;
    this.#isCurrent = true;
    this.#family.set('', privacy);
  }

  /** Sets what an earlier store knew, which may be stale. */
  restore(privacy: Privacy): void {
    this.#family.set('', privacy);
  }
}
