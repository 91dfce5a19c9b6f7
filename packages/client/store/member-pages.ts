import type { Cell } from '../cell.ts';
import type { StoreState } from './state.ts';
import type { Chat, MemberList } from './store.ts';

const PAGE = 200;
/** Maximum cells kept without subscribers. */
const MAX_IDLE = 500;
const nobody: MemberList = { items: [], isLoaded: false, hasMore: false };

/** Participants in pages; until one is loaded, those that the conversation includes. */
export class MemberPages {
  readonly cell: (chatId: string) => Cell<MemberList>;
  readonly #cells = new Map<string, Cell<MemberList>>();
  readonly #state: StoreState;
  readonly #cursors = new Map<string, string>();
  /** Derived lists by participants array. */
  readonly #ofChat = new WeakMap<Chat['participants'], MemberList>();

  constructor(state: StoreState) {
    this.#state = state;
    const { members, chats } = state;
    const get = (chatId: string): MemberList => members.get(chatId) ?? this.#shown(chatId);
    const make = (chatId: string): Cell<MemberList> => ({
      get: () => get(chatId),
      subscribe(listener) {
        // Notifies only if the list changed, not on every change of the conversation.
        let before = get(chatId);
        const look = (): void => {
          const now = get(chatId);
          if (now === before) return;
          before = now;
          listener();
        };
        const ends = [members.subscribe(chatId, look), chats.family.subscribe(chatId, look)];
        return () => {
          for (const end of ends) end();
        };
      },
    });
    this.cell = (chatId) => {
      const cell = this.#cells.get(chatId) ?? make(chatId);
      if (this.#cells.size > MAX_IDLE) this.#cells.clear();
      this.#cells.set(chatId, cell);
      return cell;
    };
  }

  async load(chatId: string): Promise<void> {
    const { members, client, journal } = this.#state;
    const before = members.get(chatId);
    const cursor = before?.hasMore ? this.#cursors.get(chatId) : undefined;
    await journal.fetch(
      async () => client.call('getMembers', { chat_id: chatId, limit: PAGE, cursor }),
      (page) => {
        if (page.next_cursor === undefined) this.#cursors.delete(chatId);
        else this.#cursors.set(chatId, page.next_cursor);
        const items = [...(cursor === undefined ? [] : (before?.items ?? [])), ...page.items];
        members.set(chatId, { items, isLoaded: true, hasMore: page.next_cursor !== undefined });
      },
    );
  }

  #shown(chatId: string): MemberList {
    const chat = this.#state.chats.get(chatId);
    if (!chat) return nobody;
    const { participants: items, participant_count } = chat;
    const known = this.#ofChat.get(items);
    const isAll = participant_count <= items.length;
    if (known?.isLoaded === isAll) return known;
    const list = { items, isLoaded: isAll, hasMore: !isAll };
    this.#ofChat.set(items, list);
    return list;
  }
}
