import type { Conversation } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';
import type { ChatTable } from './chat-table.ts';
import type { Ticks } from './ticks.ts';

/** Delay before fetching after the last request to refresh. */
const QUIET_MS = 150;
const LONGEST_MS = 5_000;
/** From this many conversations, pages of the list are cheaper than single fetches. */
const ONE_BY_ONE = 4;
const MAX_IDS = 100;

interface Parts {
  client: Client;
  clock: Clock;
  chats: ChatTable;
  ticks: Ticks;
  // What stores the answers asks for more itself, so these functions name parts that are created after the refresher.
  /** Stores the answer to a request that was made at a tick. */
  takeChat: (conversation: Conversation, since: number) => void;
  removeChat: (chatId: string) => void;
  fetchMessages: (ids: readonly string[]) => Promise<void>;
}

/** Ids of conversations and messages. */
interface Fetches {
  readonly conversations: readonly string[];
  readonly messages: readonly string[];
}
const nothing: Fetches = { conversations: [], messages: [] };

/**
 * Fetches what events alone do not determine: unknown conversations, counts after missed frames, the newest message
 * after a deletion. Batched, after a short delay, and only while the client is live.
 */
export class Refresher {
  readonly #parts: Parts;
  readonly #chats = new Set<string>();
  readonly #messages = new Set<string>();
  #timer: Timer | null = null;
  #attempt = 0;
  /** What is being fetched. */
  #asked: Fetches = nothing;
  #isBusy = false;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get isIdle(): boolean {
    return this.#chats.size === 0 && this.#messages.size === 0 && !this.#isBusy;
  }

  /** What is to be fetched, or is being fetched. */
  get pending(): Fetches {
    const { conversations, messages } = this.#asked;
    return { conversations: [...this.#chats, ...conversations], messages: [...this.#messages, ...messages] };
  }

  chat(chatId: string): void {
    this.#chats.add(chatId);
    this.schedule();
  }

  /** Requests the refresh of a message whose thread count or position is uncertain. */
  message(id: string): void {
    this.#messages.add(id);
    this.schedule();
  }

  schedule(): void {
    if (this.#timer || this.#isBusy || this.#isClosed || this.#parts.client.state !== 'live') return;
    if (this.#chats.size === 0 && this.#messages.size === 0) return;
    const isMet = [...this.#chats].some((id) => !this.#parts.chats.get(id));
    const delayMs = isMet && this.#attempt === 0 ? 0 : Math.min(LONGEST_MS, QUIET_MS * 2 ** this.#attempt);
    this.#timer = this.#parts.clock.setTimer(() => {
      this.#timer = null;
      void this.#refresh();
    }, delayMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #refresh(): Promise<void> {
    const [chats, messages] = [[...this.#chats], [...this.#messages].slice(0, MAX_IDS)];
    for (const id of chats) this.#chats.delete(id);
    for (const id of messages) this.#messages.delete(id);
    this.#isBusy = true;
    this.#asked = { conversations: chats, messages };
    try {
      if (messages.length > 0) await this.#parts.fetchMessages(messages);
      if (chats.length < ONE_BY_ONE) for (const id of chats) await this.#refreshOne(id);
      else await this.#refreshMany(new Set(chats));
      this.#attempt = this.#chats.size > 0 ? this.#attempt + 1 : 0;
    } catch {
      // No answer: retry.
      for (const id of chats) this.#chats.add(id);
      for (const id of messages) this.#messages.add(id);
      this.#attempt += 1;
    } finally {
      this.#isBusy = false;
      this.#asked = nothing;
      this.schedule();
    }
  }

  async #refreshOne(id: string): Promise<void> {
    const { client, ticks } = this.#parts;
    const since = ticks.now;
    try {
      const chat = await client.call('getChat', { chat_id: id });
      this.#parts.takeChat(chat, since);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 403)) throw error;
      this.#parts.removeChat(id);
    }
  }

  async #refreshMany(left: Set<string>): Promise<void> {
    const { client, ticks } = this.#parts;
    let cursor: string | undefined;
    do {
      const since = ticks.now;
      const page = await client.call('getChats', { limit: 200, cursor });
      for (const conversation of page.items)
        if (left.delete(conversation.id)) this.#parts.takeChat(conversation, since);
      cursor = page.next_cursor;
    } while (cursor !== undefined && left.size > ONE_BY_ONE);
    for (const id of left) await this.#refreshOne(id);
  }
}
