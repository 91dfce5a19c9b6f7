import type { Account, Actor } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import { systemClock, systemPage } from '../environment.ts';
import type { ClientEventName, ClientListener } from '../event-names.ts';
import { Arrivals } from './arrivals.ts';
import { Attention } from './attention.ts';
import { CellFamily } from './cell-family.ts';
import { eventRules } from './event-rules.ts';
import { Eviction } from './eviction.ts';
import { Loader } from './loader.ts';
import { MemberPages } from './member-pages.ts';
import { loadPollVotes } from './poll-votes.ts';
import { Refresher } from './refresher.ts';
import { ReadMarkers } from './read-markers.ts';
import { Saving } from './saving.ts';
import { StoreState } from './state.ts';
import type { Store, StoreOptions, ThreadSummary } from './store.ts';
import { fullKey, placeOf, timelineId } from './timeline-id.ts';
import { Timelines } from './timelines.ts';
import { WindowLoader } from './window-loader.ts';

/** How often typing is sent while the user types. */
const TYPING_MS = 3_000;

/** Creates a store on a client, which loads as soon as possible. */
export function createStore(client: Client, options: StoreOptions = {}): Store {
  const { maxMessages = 5_000, pageSize = 50, maxChats = 200, clock = systemClock, page = systemPage, saved } = options;
  const state = new StoreState(client, clock);
  const { changes, messages, windows, chats, people, journal } = state;
  const eviction = new Eviction(state, maxMessages);
  const refresher = new Refresher({
    client,
    clock,
    chats,
    ticks: state.ticks,
    takeChat: (conversation, since) => changes.run(() => loader.takeChat(conversation, since)),
    removeChat: (chatId) => changes.run(() => state.removeChat(chatId)),
    fetchMessages: (ids) => loader.fetchMessages(ids),
  });
  const attention = new Attention(state, refresher);
  const arrivals = new Arrivals(state, refresher, attention);
  const windowLoader = new WindowLoader({
    client,
    windows,
    journal,
    messages,
    pageSize,
    put: (items) => arrivals.fetched(items),
    hide: (ids) => arrivals.hide(ids),
    onLoaded: () => changes.later(eviction.run),
  });
  const loader = new Loader({
    state,
    arrivals,
    attention,
    windowLoader,
    eviction,
    refresher,
    maxChats,
  });
  const timelines = new Timelines(state, windowLoader);
  chats.onMet = (id) => timelines.retry(id);
  const members = new MemberPages(state);
  const parts = { state, arrivals, attention, refresher };
  const markers = new ReadMarkers({
    client,
    clock,
    messages,
    // With `ext` the service sends the new counts to all devices, including this one.
    onMarked: (chatId) => client.caps.includes('ext') || refresher.chat(chatId),
  });

  const me = new CellFamily<Account | null>(changes, () => null);
  const showMe = (account: Account): void => {
    people.see(account);
    me.set('', account);
  };
  if (client.account) showMe(client.account);
  const ends: (() => void)[] = [
    client.on('accountUpdated', (account) => {
      if (state.isOwn(account.username)) changes.run(() => showMe(account));
    }),
  ];
  for (const name of Object.keys(eventRules) as ClientEventName[]) {
    // `rule` belongs to the event `name`.
    const rule = eventRules[name] as (
      given: typeof parts,
      params: unknown,
      isReplay: boolean,
      isWhole?: boolean,
    ) => void;
    const listener: ClientListener<typeof name> = (params, { isReplay, isWhole }) =>
      changes.run(() => {
        rule(parts, params, isReplay, isWhole);
        changes.later(eviction.run);
      });
    ends.push(client.on(name, listener));
  }
  const showPending = (): void =>
    changes.run(() => {
      for (const { params } of state.pending.update())
        if (params.clear_draft)
          state.drafts.sent(params.clear_draft === 'timeline' ? params : { chat_id: params.chat_id });
    });
  ends.push(client.outbox.entries.subscribe(showPending));
  const typedAt = new Map<string, number>();
  ends.push(
    client.onState((now) =>
      changes.run(() => {
        if (client.account) showMe(client.account);
        if (now === 'recovering' || now === 'waiting' || now === 'offline') people.stopTyping();
        if (now !== 'live') {
          // The service ends what a lost connection was typing, so the next key tells it again.
          typedAt.clear();
          return state.presence.forget();
        }
        saving.isCurrent = true;
        refresher.schedule();
        state.drafts.retry();
        state.inbox.schedule();
        state.presence.resume();
        state.emoji.retry();
        state.scheduled.retry();
        markers.retry();
        state.reads.reload();
        state.privacy.load();
        timelines.retry();
      }),
    ),
  );
  ends.push(page.onLeave(() => state.drafts.flush()));
  const saving = new Saving({ state, arrivals, attention, refresher, loader });
  ends.push(client.on('reload', () => (saving.isCurrent = false)));
  if (saved) saving.restore(saved);
  showPending();

  // Load immediately, before the socket is open; a failed load is retried once it is open. A closed client loads nothing
  // until it is opened. If the client already follows the log, the load starts when the client holds the log back, so
  // that its position is not set back.
  let early = client.account || client.state === 'closed' ? null : loader.load();
  early?.catch(() => {});
  ends.push(
    client.attach({
      isRestored: saved !== undefined,
      async load() {
        const begun = early;
        early = null;
        return (await begun?.catch(() => undefined)) ?? loader.load();
      },
      deliver: (work) => changes.run(work),
    }),
  );

  /** Applies the answer to a change of the user, and again after the fetches in progress, which may lack it. */
  const apply = (work: () => void): void => {
    journal.add(work);
    changes.run(work);
  };
  const threads = new Map<string, Cell<ThreadSummary | null>>();
  return {
    client,
    me: me.cell(''),
    chats: chats.list,
    chat: (chatId) => chats.family.cell(chatId),
    timeline: (key) => timelines.get(key),
    message: (idOrKey) => messages.cell(idOrKey),
    thread(rootId) {
      const known = threads.get(rootId);
      if (known) return known;
      if (threads.size > maxMessages) threads.clear();
      const root = messages.cell(rootId);
      const cell = { get: () => root.get()?.thread ?? null, subscribe: root.subscribe };
      threads.set(rootId, cell);
      return cell;
    },
    draft: (key) => state.drafts.family.cell(timelineId(key)),
    typing: (key): Cell<readonly Actor[]> => people.typing.cell(timelineId(key)),
    members: (chatId) => members.cell(chatId),
    pollVote: (messageId) => messages.votes.cell(messages.get(messageId)?.id ?? messageId),
    readPosition: (chatId) => state.reads.cell(chatId),
    account: (username) => people.accounts.cell(username),
    alerts: state.alerts.cell(''),
    folders: state.folders.cell(''),
    scheduled: state.scheduled.family.cell(''),
    unreadTotal: chats.unreadTotal,
    inbox: state.inbox.cell,
    presence: (username) => state.presence.cell(username),
    customEmoji: state.emoji.list,
    emoji: (name) => state.emoji.cell(name),
    putEmoji: (emoji) => changes.run(() => state.emoji.put(emoji)),
    removeEmoji: (name) => changes.run(() => state.emoji.remove(name)),
    privacy: state.privacy.cell,
    putStatus: (status) => {
      const username = client.account?.username;
      if (username !== undefined) changes.run(() => state.presence.restate(username, status));
    },

    loadMoreChats: () => loader.loadMoreChats(),
    loadMoreInbox: () => state.inbox.loadMore(),
    setInboxDone: (ids) => state.inbox.setDone(ids),
    setAllInboxDone: () => state.inbox.setAllDone(),
    putChat: (conversation) =>
      changes.run(() => {
        // An event that arrived during the request may be newer than its answer.
        if (chats.get(conversation.id)) refresher.chat(conversation.id);
        loader.putChat(conversation);
      }),
    putFolders: (folders) =>
      changes.run(() => {
        state.ticks.touch('folders');
        state.setFolders(folders);
      }),
    loadMessages: (ids) => loader.fetchMessages(ids.filter((id) => !messages.get(id))),
    loadScheduled: () => state.scheduled.load(),
    loadMembers: (chatId) => members.load(chatId),
    async loadAccounts(usernames) {
      const unknown = usernames.filter((username) => !people.accounts.has(username));
      if (unknown.length === 0) return;
      await journal.fetch(
        async () => client.call('getUsers', { usernames: unknown }),
        ({ items }) => {
          for (const account of items) people.see(account);
        },
      );
    },
    markRead: (chatId, messageId) => markers.mark(chatId, messageId),
    attend: (key) => attention.attend(key),
    async react(messageId, emoji, on) {
      const id = messages.get(messageId)?.id ?? messageId;
      await client.call('setMessageReaction', { message_id: id, emoji, ...(on ? { keep: true } : { remove: true }) });
    },
    async orderPinned(chatIds) {
      changes.run(() => chats.orderPins(chatIds));
      try {
        await client.call('orderPinnedChats', { chat_ids: [...chatIds] });
      } catch (error) {
        for (const id of chats.list.get().pinned) refresher.chat(id);
        throw error;
      }
    },
    loadPollVotes: (ids) => loadPollVotes(state, ids),
    async vote(messageId, options) {
      const id = messages.get(messageId)?.id ?? messageId;
      const vote = await client.call('votePoll', { message_id: id, options: [...options] });
      apply(() => messages.setVote(vote));
    },
    async hide(ids) {
      const known = ids.map((id) => messages.get(id)?.id ?? id);
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
    saveDraft: (key, text, replyToId = null) => changes.run(() => state.drafts.edit(key, text, replyToId)),
    setTyping(key, isTyping) {
      const id = timelineId(key);
      const now = clock.monotonic();
      if (isTyping && now - (typedAt.get(id) ?? -Infinity) < TYPING_MS) return;
      if (!isTyping && !typedAt.has(id)) return;
      if (!isTyping) typedAt.delete(id);
      if (client.state !== 'live') return;
      if (isTyping) typedAt.set(id, now);
      client
        .call('sendChatAction', { ...placeOf(fullKey(key)), action: isTyping ? 'typing' : 'cancel' })
        .catch(() => {});
    },
    dismissAlert: (id) =>
      changes.run(() =>
        state.alerts.set(
          '',
          state.alerts.get('').filter((one) => one.id !== id),
        ),
      ),
    async loadRecent(since, most) {
      const from = since.toISOString();
      for (const id of chats.list.get().ids.slice(0, most)) {
        if (client.state !== 'live' || (chats.get(id)?.updated_at ?? '') < from) return;
        const window = windows.open(fullKey({ chat_id: id }));
        if (!window.isLoaded) await windowLoader.loadNewest(window);
      }
    },
    save: (limits) => saving.save(limits),
    close() {
      for (const end of ends) end();
      refresher.close();
      markers.close();
      state.drafts.close();
      state.inbox.close();
      state.presence.close();
      state.emoji.close();
      state.people.close();
    },
  };
}
