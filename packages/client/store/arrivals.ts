import type { EventParams, Message } from '@parley/protocol';
import type { Attention } from './attention.ts';
import { UNPLACED } from './message-table.ts';
import type { Refresher } from './refresher.ts';
import type { StoreState } from './state.ts';
import type { StoredMessage } from './store.ts';
import { timelineIdOf } from './timeline-id.ts';

const MAX_COUNTED = 5_000;

/** Stores arriving messages in their windows and updates counts, counting each message once. */
export class Arrivals {
  readonly #state: StoreState;
  readonly #refresher: Refresher;
  readonly #attention: Attention;
  /** Recently counted messages. */
  readonly #counted = new Set<string>();

  constructor(state: StoreState, refresher: Refresher, attention: Attention) {
    this.#state = state;
    this.#refresher = refresher;
    this.#attention = attention;
  }

  /**
   * Shows the preview of a reply out of focus. The activity contains no position, so the position is fetched if the
   * reply's timeline is shown.
   */
  showPreview(activity: EventParams<'draftActivity'>): void {
    const { messages, windows } = this.#state;
    const message = this.preview(activity);
    if (!message) {
      // The whole message was fetched, but is not in a window yet.
      const known = messages.get(activity.id);
      if (known) windows.place(known);
      return;
    }
    this.show(message, { is_preview: true });
    const isShown = windows.all.get(timelineIdOf(message))?.isLoaded;
    if (message.position === UNPLACED && isShown) this.#refresher.message(message.id);
  }

  /** Stores a message from an event. Idempotent. */
  show(message: Message, extra: Pick<StoredMessage, 'is_preview'> = {}): void {
    const { pending, messages, windows, people } = this.#state;
    pending.resolve(message);
    windows.place(messages.put(message, extra));
    // The events of its other versions follow: until then the reply would have two rows.
    if (message.versions) this.#state.setVersions(message.versions);
    people.see(message.sender);
  }

  /** Stores fetched messages. */
  fetched(items: readonly Message[]): StoredMessage[] {
    const { client, pending, messages, people, windows } = this.#state;
    return items.map((item) => {
      pending.resolve(item);
      people.see(item.sender);
      const known = messages.get(item.id);
      const isPreview = known?.is_preview === true && item.status === 'streaming';
      // A reply out of focus only takes its position from the fetch, and keeps showing previews. For any other reply
      // the client's text and parts win, because the next delta fits their end; all other fields are taken from the fetch.
      const { content, content_revision, parts } = isPreview ? known : client.adopt(item);
      const shown = { ...item, content, content_revision, ...(parts && { parts }) };
      const stored = messages.putFetched(shown, isPreview ? { is_preview: true } : {});
      // Windows must stay sorted at all times: inserting a message compares only its neighbours.
      if (known && stored.position !== known.position) windows.place(stored);
      return stored;
    });
  }

  /** Updates the conversation and thread for a message, once per message. */
  count(message: Message, isReplay: boolean): void {
    const { chats } = this.#state;
    const { id, conversation_id: chatId, position } = message;
    const facts = chats.facts(chatId);
    if (!facts) return this.#refresher.chat(chatId);
    const isNewest = position === UNPLACED ? id > facts.countedId : position > facts.lastPosition;
    const isKnown = this.#counted.has(id);
    if (isNewest && !(isKnown && position === UNPLACED)) {
      chats.setLast(chatId, id, position === UNPLACED ? facts.lastPosition : position);
    }
    // A private message moves no conversation (DECIDE-9).
    if (!message.decision?.private) this.#bump(message);
    if (isKnown) return undefined;
    chats.touch(chatId);
    this.#remember(id);
    this.#countReply(message, isReplay);
    // Without a position it is unknown whether the fetched count already includes the message.
    const isOverlapping = position === UNPLACED && (id <= facts.countedId || chats.isJustCounted(chatId));
    if (isReplay || isOverlapping) this.#refresher.chat(chatId);
    // Messages that arrive in an attended timeline are read on arrival.
    const isNews = this.#state.isUnread(message) && !this.#attention.has(message);
    if (position > facts.countedPosition && !isOverlapping && isNews) chats.count(chatId, message.channel_id, 1);
    return undefined;
  }

  /** Removes deleted messages. Idempotent. */
  hide(ids: readonly string[]): void {
    const { messages, windows } = this.#state;
    for (const id of ids) {
      const message = messages.get(id);
      if (!message) continue;
      windows.take(message);
      messages.remove(id);
    }
  }

  /** Updates a conversation for deletions; called before the messages are removed. */
  uncount(chatId: string, ids: readonly string[], isReplay: boolean): void {
    const { chats, messages } = this.#state;
    const [chat, facts] = [chats.get(chatId), chats.facts(chatId)];
    if (!chat || !facts) return;
    chats.touch(chatId);
    let isInDoubt = isReplay;
    for (const id of ids) {
      const message = messages.get(id);
      if (!message) {
        // An unknown message may be in the unread count, or, with a greater id than the last message, be the newest.
        isInDoubt ||= chat.unread_count > 0 || id > (facts.lastMessageId ?? '');
        for (const rootId of this.#rootsOf(chatId)) this.#refresher.message(rootId);
      } else {
        if (message.thread_root_id !== null) this.#refresher.message(message.thread_root_id);
        if (this.#state.isUnread(message)) {
          if (!this.#attention.has(message)) chats.count(chatId, message.channel_id, -1);
          isInDoubt = true;
        }
      }
      if (facts.lastMessageId !== id) continue;
      isInDoubt = true;
      const newest = this.#newestBut(chatId, new Set(ids));
      chats.setLast(chatId, newest?.id ?? null, newest?.position ?? 0);
    }
    if (isInDoubt) this.#refresher.chat(chatId);
  }

  /** The placeholder of a reply that streams out of focus; its content is the preview. */
  preview(activity: EventParams<'draftActivity'>): Message | undefined {
    const known = this.#state.messages.get(activity.id);
    if (known && !known.is_preview) return undefined;
    return {
      id: activity.id,
      position: known?.position ?? UNPLACED,
      conversation_id: activity.conversation_id,
      channel_id: activity.channel_id,
      thread_root_id: activity.thread_root_id,
      sender: activity.sender,
      content: activity.preview,
      attachments: [],
      reply_to_id: null,
      mentions: [],
      dispatch: [],
      reactions: known?.reactions ?? [],
      ...(known?.versions && { versions: known.versions }),
      created_at: activity.created_at,
      content_revision: activity.content_revision,
      status: 'streaming',
    };
  }

  /** A conversation becomes active when a message is stored or a reply starts or ends. */
  #bump({ conversation_id, created_at, finalized_at = created_at }: Message): void {
    const { chats } = this.#state;
    if ((chats.get(conversation_id)?.updated_at ?? finalized_at) >= finalized_at) return;
    // A fetch in progress may return an older state.
    chats.touch(conversation_id);
    chats.change(conversation_id, (chat) => ({ ...chat, updated_at: finalized_at }));
  }

  #remember(id: string): void {
    this.#counted.add(id);
    if (this.#counted.size <= MAX_COUNTED) return;
    for (const oldest of this.#counted) {
      this.#counted.delete(oldest);
      return;
    }
  }

  #countReply({ thread_root_id: rootId, created_at, decision }: Message, isReplay: boolean): void {
    // Its thread counts a private message for nobody (DECIDE-9).
    if (decision?.private) return;
    const { messages, journal } = this.#state;
    if (rootId === null) return;
    const root = messages.get(rootId);
    if (!root) {
      // A fetch in progress may bring the root as it was before this reply.
      journal.add(() => {
        if (messages.get(rootId)) this.#refresher.message(rootId);
      });
      return;
    }
    const { thread } = root;
    // A reply with the same time as the last one may already be counted.
    if (isReplay || journal.isOpen || thread?.last_at === created_at) this.#refresher.message(root.id);
    if (thread && thread.last_at >= created_at) return;
    const next = { count: (thread?.count ?? 0) + 1, last_at: created_at };
    messages.change(root.id, (message) => ({ ...message, thread: next }));
  }

  #rootsOf(chatId: string): string[] {
    const { messages } = this.#state;
    const all = messages.family.values();
    return all.filter(({ conversation_id, thread }) => conversation_id === chatId && thread).map(({ id }) => id);
  }

  #newestBut(chatId: string, gone: ReadonlySet<string>): StoredMessage | undefined {
    const { messages, windows } = this.#state;
    let newest: StoredMessage | undefined;
    for (const window of windows.all.values()) {
      if (window.key.chat_id !== chatId || window.hasNewer) continue;
      const last = window.keys.map((key) => messages.get(key)).findLast((one) => one && !gone.has(one.id));
      if (last && last.position !== UNPLACED && last.position > (newest?.position ?? 0)) newest = last;
    }
    return newest;
  }
}
