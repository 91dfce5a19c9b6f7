import { deepStrictEqual } from 'node:assert/strict';
import type { Message } from '@parley/protocol';
import type { ClientState, KnownChat } from './client-state.ts';

interface Excepted {
  /** Messages that the account has hidden: its other clients are not told. */
  hidden: ReadonlySet<string>;
  /** The client hears nothing of a reply before its end. */
  nodrafts: boolean;
}

/**
 * Stale state + frames = fresh fetch, but for what the log does not tell: what one hid, replies that stream under
 * `nodrafts`, and, without `ext`, membership, roles, titles, channels, mute and read markers. Throws with the difference.
 */
export function assertSame(stale: ClientState, fresh: ClientState, excepted: Excepted, whose: string): void {
  const seen: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const chat of fresh.chats.values()) {
    const known = stale.chats.get(chat.id);
    // A conversation is met with its first message.
    if (!known) continue;
    seen[chat.id] = comparable(known, chat, excepted);
    expected[chat.id] = comparable(chat, chat, excepted);
  }
  deepStrictEqual(seen, expected, `${whose}: what was followed is not what a fresh fetch shows`);
  const drafts = (state: ClientState) =>
    [...state.drafts.values()]
      .filter(({ text, chat_id }) => text.trim() !== '' && fresh.chats.has(chat_id))
      .toSorted((a, b) => (a.chat_id < b.chat_id ? -1 : 1));
  deepStrictEqual(drafts(stale), drafts(fresh), `${whose}: drafts differ`);
}

function comparable(chat: KnownChat, fresh: KnownChat, { hidden, nodrafts }: Excepted) {
  const isInChannel = (message: Message | undefined): boolean =>
    message === undefined || message.channel_id === null || fresh.channelIds.has(message.channel_id);
  const messages = [...chat.messages.values()]
    .filter((message) => isInChannel(message) && !hidden.has(message.id))
    .filter(({ status }) => !nodrafts || status !== 'streaming')
    // The thread of a root that is gone is out of reach.
    .filter((message) => message.thread_root_id === null || fresh.messages.has(message.thread_root_id))
    .toSorted((a, b) => a.position - b.position);
  const repliesTo = (rootId: string) => messages.filter((reply) => reply.thread_root_id === rootId).length;
  const isFetched = chat === fresh;
  const newest = messages.at(-1)?.id ?? null;
  // The service's own word for the newest message must be what the timelines show, and its count of a thread's
  // replies what the thread holds; both count what this client leaves out.
  const isReachable = fresh.lastMessageId === null || fresh.messages.has(fresh.lastMessageId);
  const isPlain = hidden.size === 0 && !nodrafts;
  return {
    pins: chat.pins.filter((id) => isInChannel(chat.messages.get(id) ?? fresh.messages.get(id))),
    newest: isFetched && isPlain && isReachable ? chat.lastMessageId : newest,
    messages: messages.map((message) => ({
      ...message,
      reactions: message.reactions
        .map(({ emoji, count, reactors }) => ({
          emoji,
          count,
          reactors: reactors.map(({ username }) => username).toSorted(),
        }))
        .toSorted((a, b) => (a.emoji < b.emoji ? -1 : 1)),
      resumed: undefined,
      thread: undefined,
      replies: isFetched && isPlain ? (message.thread?.count ?? 0) : repliesTo(message.id),
    })),
  };
}
