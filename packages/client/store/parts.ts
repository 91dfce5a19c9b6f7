import type { Client } from '../client.ts';
import { systemClock } from '../environment.ts';
import { Arrivals } from './arrivals.ts';
import { Attention } from './attention.ts';
import { Eviction } from './eviction.ts';
import { Loader } from './loader.ts';
import { MemberPages } from './member-pages.ts';
import { ReadMarkers } from './read-markers.ts';
import { Refresher } from './refresher.ts';
import { Saving } from './saving.ts';
import { StoreState } from './state.ts';
import type { StoreOptions } from './store.ts';
import { Timelines } from './timelines.ts';
import { TypingSender } from './typing-sender.ts';
import { WindowLoader } from './window-loader.ts';

export type StoreParts = ReturnType<typeof createParts>;

/** What a store is made of; each part uses those above it; only answers to a refresher concern a part below. */
export function createParts(client: Client, options: StoreOptions) {
  const { maxMessages = 5_000, pageSize = 50, maxChats = 200, clock = systemClock } = options;
  const state = new StoreState(client, clock);
  const { changes, messages, windows, chats, ticks, journal } = state;
  const eviction = new Eviction(state, maxMessages);
  const refresher = new Refresher({
    client,
    clock,
    chats,
    ticks,
    takeChat: (conversation, since) => changes.run(() => loader.takeChat(conversation, since)),
    removeChat: (chatId) => changes.run(() => state.removeChat(chatId)),
    fetchMessages: (ids) => loader.fetchMessages(ids),
  });
  const attention = new Attention(state, refresher);
  const arrivals = new Arrivals(state, refresher, attention);
  const markers = new ReadMarkers(state, attention, refresher);
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
  const timelines = new Timelines(state, windowLoader);
  const loader = new Loader({
    state,
    arrivals,
    attention,
    markers,
    timelines,
    windowLoader,
    eviction,
    refresher,
    maxChats,
  });
  const members = new MemberPages(state);
  const typing = new TypingSender(client, clock);
  const saving = new Saving({ state, arrivals, attention, markers, refresher, loader });
  return {
    client,
    state,
    eviction,
    refresher,
    attention,
    arrivals,
    windowLoader,
    timelines,
    loader,
    markers,
    members,
    typing,
    saving,
  };
}
