import { deepStrictEqual } from 'node:assert/strict';
import { type Draft, type Message, messageFieldsThat } from '@parley/protocol';
import type { ClientState, KnownChat } from './client-state.ts';
import { withoutSignatures } from './unsigned-urls.ts';

/** What of a message changes without an event that a client without `ext` receives. */
const changing = messageFieldsThat(({ changesWith }) => changesWith === 'ext');

interface Excepted {
  /** Messages that the account has hidden one by one. The log has no event for that, so its other clients still show them. */
  hidden: ReadonlySet<string>;
  /** The client does not receive replies before their end. */
  nodrafts: boolean;
  /** With the cap `focus`, the timeline in focus: of replies elsewhere the client only knows that they stream. */
  focus: Timeline | null | undefined;
  /** The client also receives the events of the cap `ext`. */
  ext: boolean;
  /** Streaming replies arrive as patches, whose revisions are those of the text. */
  patch: boolean;
  /** The username of the clients' account. */
  username: string;
}

/** The timeline of a reply. */
export type Timeline = Pick<Message, 'conversation_id' | 'channel_id' | 'thread_root_id'>;

export const isSameTimeline = (one: Timeline, other: Timeline | null): boolean =>
  one.conversation_id === other?.conversation_id &&
  one.channel_id === other.channel_id &&
  one.thread_root_id === other.thread_root_id;

/**
 * Stale state + frames = fresh fetch, except for data that the log does not contain: hidden messages, streaming replies
 * under `nodrafts`, the text of replies out of focus, and, without `ext`, changes that have no event: membership,
 * roles, titles, channels, mute, read markers, clearing, edits, versions, votes,
 * previews of links, transcripts. Throws with the difference.
 */
export function assertSame(stale: ClientState, fresh: ClientState, excepted: Excepted, whose: string): void {
  const seen: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const chat of fresh.chats.values()) {
    const known = stale.chats.get(chat.id);
    // Without `ext` a client learns of a conversation with its first message.
    if (!known && !excepted.ext) continue;
    if (!known) {
      expected[chat.id] = chat.about;
      continue;
    }
    seen[chat.id] = comparable(known, chat, stale, excepted);
    expected[chat.id] = comparable(chat, chat, fresh, excepted);
  }
  if (excepted.ext) for (const { id } of stale.chats.values()) if (!fresh.chats.has(id)) seen[id] = 'is still known';
  deepStrictEqual(
    withoutSignatures(seen),
    withoutSignatures(expected),
    `${whose}: the followed state differs from a fresh fetch`,
  );
  if (excepted.ext) deepStrictEqual(stale.folders, fresh.folders, `${whose}: folders differ`);
  // Without `ext` a client receives only the drafts of conversations (DRAFT-9).
  const isReceived = ({ channel_id, thread_root_id }: Draft): boolean =>
    excepted.ext || (channel_id === undefined && thread_root_id === undefined);
  const placeOf = ({ chat_id, channel_id, thread_root_id }: Draft): string =>
    [chat_id, channel_id, thread_root_id].join(' ');
  const drafts = (state: ClientState) =>
    [...state.drafts.values()]
      .filter((draft) => draft.text.trim() !== '' && fresh.chats.has(draft.chat_id) && isReceived(draft))
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  deepStrictEqual(drafts(stale), drafts(fresh), `${whose}: drafts differ`);
  const votes = (state: ClientState) =>
    Object.fromEntries([...state.votes].filter(([id, options]) => fresh.find(id) && options.length > 0));
  if (excepted.ext) deepStrictEqual(votes(stale), votes(fresh), `${whose}: votes differ`);
}

/** The open decisions that wait for the account, as a client computes them (DECIDE-10). */
function needsOf(chat: KnownChat, messages: readonly Message[], username: string) {
  const own = chat.about.participants.find((one) => one.username === username);
  const open = messages.flatMap(({ id, decision }) => {
    if (decision?.state !== 'open' || own?.kind !== 'human') return [];
    const { deciders } = decision;
    const isMine =
      deciders === 'anyone' || (deciders === 'admins' ? own.role !== 'member' : deciders.includes(username));
    return isMine ? [id] : [];
  });
  return { needs_you: open.length, open_decisions: open.toReversed() };
}

/** The unread count as a client computes it (EXT-3). */
export const unreadOf = (chat: KnownChat, messages: readonly Message[], username: string): number =>
  messages.filter(
    ({ position, sender, service, channel_id }) =>
      position > chat.about.last_read_position &&
      sender.username !== username &&
      !service &&
      (channel_id === null || chat.channelIds.has(channel_id)),
  ).length;

function comparable(chat: KnownChat, fresh: KnownChat, state: ClientState, excepted: Excepted) {
  const { hidden, nodrafts, focus, ext, patch } = excepted;
  // Without `ext` a client receives parts only with whole messages; a patch leaves out the revisions of parts (PART-7).
  const partsOf = (message: Message): Partial<Message> => {
    if (message.status !== 'streaming' || (ext && !patch)) return {};
    if (!fresh.messages.get(message.id)?.parts && !message.parts) return {};
    return { content_revision: 0, parts_revision: 0, ...(!ext && { parts: [] }) };
  };
  const isInChannel = (message: Timeline | undefined): boolean =>
    message === undefined || message.channel_id === null || fresh.channelIds.has(message.channel_id);
  const isElsewhere = (message: Message): boolean =>
    focus !== undefined && message.status === 'streaming' && !isSameTimeline(message, focus);
  // A reply that is continued is, to a client that does not receive its text, what it was before.
  const isStreaming = ({ id, status }: Message): boolean =>
    status === 'streaming' || fresh.messages.get(id)?.status === 'streaming';
  const isShown = (message: Timeline & { id: string }): boolean => isInChannel(message) && !hidden.has(message.id);
  // Without `ext` a client does not learn what its account has cleared.
  const isKept = ({ position }: Message): boolean => ext || position > (fresh.about.cleared_position ?? 0);
  const all = [...chat.messages.values()].filter((message) => isShown(message) && isKept(message));
  const messages = all
    .filter(
      (message) => !isStreaming(message) || (!nodrafts && (focus === undefined || isSameTimeline(message, focus))),
    )
    .toSorted((a, b) => a.position - b.position);
  const active = [...state.activity.values()].filter((one) => one.conversation_id === chat.id && isShown(one));
  const elsewhere = [...all.filter((message) => isElsewhere(message)), ...active].map(({ id }) => id);
  const replies = new Map<string, number>();
  for (const { thread_root_id: root, decision } of messages)
    if (root !== null && decision?.private === undefined) replies.set(root, (replies.get(root) ?? 0) + 1);
  const isFetched = chat === fresh;
  // The service itself changes the text of a decision that ends.
  const isEdited = (id: string): boolean => {
    const { edited_at, decision } = fresh.messages.get(id) ?? {};
    return edited_at !== undefined || (decision !== undefined && decision.state !== 'open');
  };
  const newest = messages.at(-1)?.id ?? null;
  // The service's last message and thread counts must match the timelines, unless this client does not receive all
  // messages that they include.
  const isPlain = hidden.size === 0 && !nodrafts && focus === undefined;
  return {
    about: ext && {
      ...chat.about,
      unread_count: isFetched && isPlain ? chat.about.unread_count : unreadOf(chat, messages, excepted.username),
      ...(isFetched && isPlain
        ? { needs_you: chat.about.needs_you, open_decisions: chat.about.open_decisions }
        : needsOf(chat, messages, excepted.username)),
    },
    pins: chat.pins.filter((id) => isInChannel(chat.messages.get(id) ?? fresh.messages.get(id))),
    elsewhere: focus === undefined ? [] : [...new Set(elsewhere)].toSorted(),
    newest: isFetched && isPlain ? chat.lastMessageId : newest,
    messages: messages.map((message) => ({
      ...(ext || !isEdited(message.id) ? message : { id: message.id }),
      ...partsOf(message),
      ...Object.fromEntries(changing.map((name) => [name, ext ? message[name] : undefined])),
      attachments: ext ? message.attachments : message.attachments.map((one) => ({ ...one, transcript: undefined })),
      // Profile changes are only sent with `ext`.
      sender: ext ? message.sender : message.sender.username,
      reactions: message.reactions
        .map(({ emoji, count, reactors }) => ({
          emoji,
          count,
          reactors: reactors.map(({ username }) => username).toSorted(),
        }))
        .toSorted((a, b) => (a.emoji < b.emoji ? -1 : 1)),
      // The sender may share no conversation with the reader, who then receives no profile changes.
      forwarded_from: message.forwarded_from && {
        ...message.forwarded_from,
        sender: message.forwarded_from.sender.username,
      },
      resumed: undefined,
      thread: undefined,
      replies: isFetched && isPlain ? (message.thread?.count ?? 0) : (replies.get(message.id) ?? 0),
    })),
  };
}
