import type { Conversation, CustomEmoji, Folder, Status } from '@parley/protocol';
import type { TimelineKey } from '../client.ts';
import type { StoreParts } from './parts.ts';
import { loadPollVotes } from './poll-votes.ts';
import type { SaveLimits } from './store.ts';
import { fullKey } from './timeline-id.ts';

/** What an app does with a store: what it loads, and what its user changes. */
export const actionsOf = (parts: StoreParts) => ({ ...loadsOf(parts), ...changesOf(parts) });

/** What the store loads, and what it takes in of operations that an app called itself. */
function loadsOf({ client, state, loader, members, windowLoader, saving, refresher }: StoreParts) {
  const { changes, chats, messages, people, windows, journal } = state;
  return {
    loadMoreChats: () => loader.loadMoreChats(),
    loadMoreInbox: () => state.inbox.loadMore(),
    loadMessages: (ids: readonly string[]) => loader.fetchMessages(ids.filter((id) => !messages.get(id))),
    loadScheduled: () => state.scheduled.load(),
    loadMembers: (chatId: string) => members.load(chatId),
    async loadAccounts(usernames: readonly string[]) {
      const unknown = usernames.filter((username) => !people.accounts.has(username));
      if (unknown.length === 0) return;
      await journal.fetch(
        async () => client.call('getUsers', { usernames: unknown }),
        ({ items }) => {
          for (const account of items) people.see(account);
        },
      );
    },
    loadPollVotes: (ids: readonly string[]) => loadPollVotes(state, ids),
    async loadRecent(since: Date, most: number) {
      const from = since.toISOString();
      for (const id of chats.list.get().ids.slice(0, most)) {
        if (client.state !== 'live' || (chats.get(id)?.updated_at ?? '') < from) return;
        const window = windows.open(fullKey({ chat_id: id }));
        if (!window.isLoaded) await windowLoader.loadNewest(window);
      }
    },
    putEmoji: (emoji: CustomEmoji) => changes.run(() => state.emoji.put(emoji)),
    removeEmoji: (name: string) => changes.run(() => state.emoji.remove(name)),
    putStatus: (status: Status) => {
      const username = client.account?.username;
      if (username !== undefined) changes.run(() => state.presence.restate(username, status));
    },
    putChat: (conversation: Conversation) =>
      changes.run(() => {
        // An event that arrived during the request may be newer than its answer.
        if (chats.get(conversation.id)) refresher.chat(conversation.id);
        loader.putChat(conversation);
      }),
    putFolders: (folders: readonly Folder[]) =>
      changes.run(() => {
        state.ticks.touch('folders');
        state.setFolders(folders);
      }),
    save: (limits?: SaveLimits) => saving.save(limits),
  };
}

/** What the user does. The store shows it before the service has answered. */
function changesOf({ client, state, arrivals, attention, refresher, markers, typing }: StoreParts) {
  const { changes, messages, chats, journal } = state;
  /** Applies the answer to a change of the user, and again after the fetches in progress, which may lack it. */
  const apply = (work: () => void): void => {
    journal.add(work);
    changes.run(work);
  };
  /** Where a change of a message waits, and how it names the message: one in the outbox has no id yet. */
  const placeOf = (idOrKey: string): { chatId: string; id: string } => {
    const message = messages.get(idOrKey);
    const id = message?.outbox?.client_msg_id ?? message?.id ?? idOrKey;
    return { chatId: message?.conversation_id ?? '', id };
  };
  return {
    setInboxDone: (ids: readonly string[]) => state.inbox.setDone(ids),
    setAllInboxDone: () => state.inbox.setAllDone(),
    markRead: (chatId: string, messageId: string) => markers.mark(chatId, messageId),
    attend: (key: TimelineKey) => attention.attend(key),
    async react(messageId: string, emoji: string, on: boolean) {
      const { chatId, id } = placeOf(messageId);
      const how = on ? { keep: true } : { remove: true };
      await client.outbox.change(chatId, 'setMessageReaction', { message_id: id, emoji, ...how });
    },
    async edit(messageId: string, text: string) {
      const { chatId, id } = placeOf(messageId);
      await client.outbox.change(chatId, 'editMessage', { message_id: id, text });
    },
    async remove(ids: readonly string[]) {
      const places = ids.map(placeOf);
      const params = { message_ids: places.map(({ id }) => id) };
      return (await client.outbox.change(places[0]?.chatId ?? '', 'deleteMessages', params)).ids;
    },
    async orderPinned(chatIds: readonly string[]) {
      changes.run(() => chats.orderPins(chatIds));
      try {
        await client.call('orderPinnedChats', { chat_ids: [...chatIds] });
      } catch (error) {
        for (const id of chats.list.get().pinned) refresher.chat(id);
        throw error;
      }
    },
    async vote(messageId: string, options: readonly number[]) {
      const id = messages.idOf(messageId);
      const vote = await client.call('votePoll', { message_id: id, options: [...options] });
      apply(() => messages.setVote(vote));
    },
    async hide(ids: readonly string[]) {
      const known = ids.map((id) => messages.idOf(id));
      const { ids: hidden } = await client.call('deleteMessagesForMe', { message_ids: known });
      changes.run(() => {
        const gone = hidden.flatMap((id) => messages.get(id) ?? []);
        for (const chatId of new Set(gone.map((message) => message.conversation_id))) {
          const ofChat = gone.filter((message) => message.conversation_id === chatId);
          const goneIds = ofChat.map((message) => message.id);
          arrivals.uncount(chatId, goneIds, true);
        }
        apply(() => arrivals.hide(hidden));
        state.inbox.update((item) => (hidden.includes(item.message_id) ? null : item));
      });
    },
    saveDraft: (key: TimelineKey, text: string, replyToId: string | null = null) =>
      changes.run(() => state.drafts.edit(key, text, replyToId)),
    setTyping: (key: TimelineKey, isTyping: boolean) => typing.set(key, isTyping),
    dismissAlert: (id: number) =>
      changes.run(() =>
        state.alerts.set(
          '',
          state.alerts.get('').filter((one) => one.id !== id),
        ),
      ),
  };
}
