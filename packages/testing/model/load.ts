import { type Api, ApiError } from '@parley/client';
import type { Conversation, Message } from '@parley/protocol';
import { ClientState, type SeenThreads } from './client-state.ts';

const PAGE = 200;

/**
 * Everything that the account can see, fetched over the API. `position` is read before the rows, so that no event is
 * missed.
 */
export async function loadState(api: Api, threads?: SeenThreads): Promise<ClientState> {
  const state = new ClientState(threads);
  let cursor: string | undefined;
  do {
    const page = await api.getChats({ limit: PAGE, cursor });
    if (cursor === undefined) state.position = page.head;
    for (const conversation of page.items) await loadChat(api, state, conversation);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  state.folders = (await api.getFolders()).items;
  for (const draft of (await api.getDrafts({ timelines: true })).items) state.saveDraft(draft);
  return state;
}

/** Fetches one conversation with all its timelines. Does nothing if it is no longer visible. */
export async function loadChat(api: Api, state: ClientState, known: string | Conversation): Promise<void> {
  try {
    const conversation = typeof known === 'string' ? await api.getChat({ chat_id: known }) : known;
    const chatId = conversation.id;
    const messages: Message[] = [];
    const loaded = new Set<string>();
    const loadThread = async (rootId: string, channelId: string | undefined) => {
      loaded.add(rootId);
      const thread = { chat_id: chatId, channel_id: channelId, thread_root_id: rootId };
      messages.push(...(await loadTimeline(api, thread)));
    };
    for (const channelId of [undefined, ...conversation.channels.map(({ id }) => id)]) {
      const timeline = await loadTimeline(api, { chat_id: chatId, channel_id: channelId });
      messages.push(...timeline);
      for (const root of timeline) if (root.thread) await loadThread(root.id, channelId);
    }
    // No history leads to a thread whose root is deleted or hidden.
    for (const [rootId, { channel_id }] of new Map(state.threads.get(chatId))) {
      const isThere = channel_id === null || conversation.channels.some(({ id }) => id === channel_id);
      if (isThere && !loaded.has(rootId)) await loadThread(rootId, channel_id ?? undefined);
    }
    state.addChat(conversation, messages);
    const polls = messages.flatMap(({ id, poll }) => (poll ? [id] : []));
    if (polls.length > 0)
      for (const { message_id, options } of (await api.getPollVotes({ message_ids: polls })).items)
        state.votes.set(message_id, options);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error;
  }
}

type Timeline = Pick<Parameters<Api['getChatHistory']>[0], 'chat_id' | 'channel_id' | 'thread_root_id'>;

async function loadTimeline(api: Api, timeline: Timeline): Promise<Message[]> {
  const messages: Message[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.getChatHistory({ ...timeline, limit: PAGE, cursor });
    messages.unshift(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  const isInOrder = messages.every(({ position }, at) => at === 0 || position > (messages[at - 1]?.position ?? 0));
  if (!isInOrder) throw new Error(`a history is out of order: ${messages.map(({ position }) => position).join(', ')}`);
  return messages;
}
