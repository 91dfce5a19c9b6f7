import type { EventParams } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';

/** How far other people have read the chats that are shown. Events are not replayed, so a reconnect loads again. */
export class ReadPositions {
  readonly #changes: Changes;
  readonly #client: Client;
  readonly #positions: CellFamily<number>;
  /** Loads in progress, the newest of each chat, with the position of the events received since it began. */
  readonly #loads = new Map<string, { received: number }>();

  constructor(changes: Changes, client: Client) {
    this.#changes = changes;
    this.#client = client;
    this.#positions = new CellFamily<number>(
      changes,
      () => 0,
      (chatId, isFirst) => {
        if (isFirst) this.#load(chatId);
      },
    );
  }

  /** Loads the position with the first subscription. */
  cell(chatId: string): Cell<number> {
    return this.#positions.cell(chatId);
  }

  /** Loads the positions of all shown chats again. */
  reload(): void {
    for (const chatId of this.#positions.observed()) this.#load(chatId);
  }

  receive({ conversation_id: chatId, position }: EventParams<'messagesRead'>): void {
    if (!this.#positions.isObserved(chatId)) return;
    const load = this.#loads.get(chatId);
    if (load) load.received = Math.max(load.received, position);
    this.#positions.set(chatId, Math.max(this.#positions.get(chatId), position));
  }

  /** The known positions of some chats. */
  save(chatIds: Iterable<string>): Record<string, number> {
    const known = Array.from(chatIds, (id) => [id, this.#positions.get(id)] as const);
    return Object.fromEntries(known.filter(([, position]) => position > 0));
  }

  restore(positions: Readonly<Record<string, number>>): void {
    for (const [chatId, position] of Object.entries(positions)) this.#positions.set(chatId, position);
  }

  forget(chatId: string): void {
    this.#loads.delete(chatId);
    this.#positions.delete(chatId);
  }

  #load(chatId: string): void {
    const load = { received: 0 };
    this.#loads.set(chatId, load);
    const end = (): boolean => this.#loads.get(chatId) === load && this.#loads.delete(chatId);
    this.#client.call('getReadPosition', { chat_id: chatId }).then(
      ({ position }) => {
        if (end()) this.#changes.run(() => this.#positions.set(chatId, Math.max(position, load.received)));
      },
      // A reconnect loads it.
      end,
    );
  }
}
