import { deepStrictEqual } from 'node:assert/strict';
import { type Api, ApiError } from '@parley/client';
import type { Store, StoredMessage, Timeline } from '@parley/client/store';
import type { Conversation, Message } from '@parley/protocol';

const PAGE = 200;

/** Checks that everything in a store's public cells equals what the service answers to a new client. */
export async function assertFresh(
  store: Store,
  timelines: readonly Timeline[],
  api: Api,
  whose: string,
): Promise<void> {
  const conversations = await allChats(api);
  const list = store.chats.get();
  const seen: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const conversation of conversations) {
    const { last_message, ...about } = conversation;
    const { last_message_id = null, ...chat } = store.chat(conversation.id).get() ?? {};
    const last = last_message_id === null ? null : (store.message(last_message_id).get()?.id ?? last_message_id);
    seen[conversation.id] = { ...plain(chat), last };
    expected[conversation.id] = { ...plain(about), last: last_message?.id ?? null };
  }
  deepStrictEqual(seen, expected, `${whose}: conversations differ`);
  const updatedAt = (id: string) => store.chat(id).get()?.updated_at ?? '';
  deepStrictEqual(list.ids.toSorted(), conversations.map(({ id }) => id).toSorted(), `${whose}: the list differs`);
  deepStrictEqual(
    list.ids.map(updatedAt),
    conversations.map(({ updated_at }) => updated_at),
    `${whose}: the list is in a different order`,
  );
  deepStrictEqual(plain(store.folders.get()), (await api.getFolders()).items, `${whose}: folders differ`);
  const drafts = (await api.getDrafts()).items.filter(({ text }) => text.trim() !== '');
  const own = conversations.flatMap(({ id }) => store.draft({ chat_id: id }).get() ?? []);
  const byChat = (a: { chat_id: string }, b: { chat_id: string }) => (a.chat_id < b.chat_id ? -1 : 1);
  deepStrictEqual(
    own.toSorted(byChat),
    drafts.filter(({ chat_id }) => conversations.some(({ id }) => id === chat_id)).toSorted(byChat),
    `${whose}: drafts differ`,
  );
  for (const timeline of timelines) await assertTimeline(store, timeline, api, whose);
}

/** A window must be contiguous, and reach the ends that it claims to reach. */
async function assertTimeline(store: Store, timeline: Timeline, api: Api, whose: string): Promise<void> {
  const state = timeline.get();
  const all = await wholeTimeline(api, timeline);
  const what = `${whose}: ${JSON.stringify(timeline.key)}`;
  if (all === null) {
    // What was not sent stays until the user dismisses it, also where they take part no more.
    const sent = state.ids.filter((id) => store.message(id).get()?.outbox?.state !== 'failed');
    return deepStrictEqual(sent, [], `${what} is not visible, but shown`);
  }
  if (!state.isLoaded) throw new Error(`${what} is not loaded: ${String(state.error)}, ${String(state.loading)}`);
  const shown = state.ids.map((key) => store.message(key).get());
  const stored = shown.filter((message) => !message?.outbox);
  const ids = stored.map((message) => message?.id);
  const from = state.hasOlder ? all.findIndex(({ id }) => id === ids[0]) : 0;
  const part = state.hasNewer ? all.slice(from, from + ids.length) : all.slice(from);
  deepStrictEqual(
    ids,
    part.map(({ id }) => id),
    `${what} has different messages`,
  );
  const isPreview = (at: number): boolean => stored[at]?.is_preview === true || isElsewhere(store, part[at]);
  deepStrictEqual(
    stored.filter((_, at) => !isPreview(at)).map((message) => message && comparable(message)),
    part.filter((_, at) => !isPreview(at)).map((message) => comparable(message)),
    `${what} has different texts`,
  );
  return undefined;
}

/** With the cap `focus`, a reply streaming out of focus may show an old preview. */
const isElsewhere = (store: Store, message: Message | undefined): boolean =>
  store.client.caps.includes('focus') && message?.status === 'streaming';

const comparable = (message: Message | StoredMessage) => {
  const { key: _key, outbox: _outbox, is_preview: _preview, resumed: _resumed, ...rest } = message as StoredMessage; // a Message lacks these
  return plain({
    ...rest,
    reactions: rest.reactions
      .map(({ emoji, count, reactors }) => ({
        emoji,
        count,
        reactors: reactors.map(({ username }) => username).toSorted(),
      }))
      .toSorted((a, b) => (a.emoji < b.emoji ? -1 : 1)),
  });
};

/** Absent and undefined fields are equal on the wire. */
const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>; // an object

async function allChats(api: Api): Promise<Conversation[]> {
  const all: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.getChats({ limit: PAGE, cursor });
    all.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return all;
}

/** Null if the timeline is not visible. */
export async function wholeTimeline(api: Api, { key }: Pick<Timeline, 'key'>): Promise<Message[] | null> {
  const all: Message[] = [];
  let cursor: string | undefined;
  const { chat_id, channel_id, thread_root_id } = key;
  try {
    do {
      const place = { chat_id, channel_id: channel_id ?? undefined, thread_root_id: thread_root_id ?? undefined };
      const page = await api.getChatHistory({ ...place, limit: PAGE, cursor });
      all.unshift(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return all;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
