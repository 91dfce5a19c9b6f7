import type { Privacy } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';

/** What the account shares, and whether it wants previews of links. Loaded while it has subscribers. */
export class PrivacyBox {
  readonly cell: Cell<Privacy | undefined>;
  readonly #family: CellFamily<Privacy | undefined>;
  readonly #changes: Changes;
  readonly #client: Client;

  constructor(changes: Changes, client: Client) {
    this.#changes = changes;
    this.#client = client;
    this.#family = new CellFamily<Privacy | undefined>(changes, () => undefined);
    this.cell = {
      get: () => this.#family.get(''),
      subscribe: (listener) => {
        const end = this.#family.subscribe('', listener);
        if (!this.#family.has('')) this.load();
        return end;
      },
    };
  }

  /** Loads it again, because an event may be missing; an event that arrives meanwhile is newer. */
  load(): void {
    if (this.#client.state !== 'live') return;
    // The next subscriber loads it.
    if (!this.#family.isObserved('')) return this.#family.delete('');
    const before = this.#family.get('');
    this.#client.call('getPrivacy').then(
      (privacy) => {
        if (this.#family.get('') === before) this.#changes.run(() => this.receive(privacy));
      },
      // A reconnect loads it.
      () => undefined,
    );
  }

  receive(privacy: Privacy): void {
    this.#family.set('', privacy);
  }
}
