// A client of the update log that follows the specification literally: what it knows, how it loads, follows and
// recovers, and how its state is compared with a fresh fetch. Written independently of the shipped clients.
import type {
  Account,
  Conversation,
  Draft,
  EventName,
  EventParams,
  Folder,
  Message,
  Participant,
} from '@parley/protocol';
import type { ReceivedFrame } from './frame-chain.ts';

export interface KnownChat {
  id: string;
  kind: 'direct' | 'group';
  /** Newest pin first. */
  pins: string[];
  channelIds: ReadonlySet<string>;
  /** Fields that only a fetch and events of the cap `ext` provide. */
  about: AboutChat;
  /** Messages of all timelines, by id. */
  messages: Map<string, Message>;
  /** The newest message according to the service; only a fetch provides it. */
  lastMessageId: string | null;
}

/** The fields of a Conversation that stay as they are in the model, or null instead of absent. */
type Followed = Omit<
  Conversation,
  | 'id'
  | 'kind'
  | 'is_separate'
  | 'participants'
  | 'channels'
  | 'pinned_message_ids'
  | 'is_marked_unread'
  | 'last_message'
  | 'created_at'
  | 'updated_at'
>;

/** The fields of a Conversation other than its messages: a new one is missing in `addChat` until it is there. */
type AboutChat = {
  [Field in keyof Required<Followed>]: undefined extends Followed[Field]
    ? Exclude<Followed[Field], undefined> | null
    : Followed[Field];
} & {
  participants: readonly Participant[];
  channels: readonly { id: string; title: string }[];
  is_marked_unread: boolean;
};

/**
 * All threads seen by any client, by conversation: no history leads to a thread whose root is deleted, but its unread
 * messages still count.
 */
export type SeenThreads = Map<string, Map<string, { channel_id: string | null }>>;

/**
 * What the client must fetch before it continues: an unknown conversation, a reply whose text it lost track of, or, for
 * a reply that arrives as patches, a snapshot over its socket.
 */
export type Need = { load: string } | { snapshot: string } | { whole: string };

type Known<Name extends EventName> = (state: ClientState, params: EventParams<Name>) => Need | undefined;

/** Everything that a client knows. */
export class ClientState {
  /** `seq` up to which the client knows all events. */
  position = 0;
  readonly chats = new Map<string, KnownChat>();
  /** Replies streaming out of focus, by id. */
  readonly activity = new Map<string, EventParams<'draftActivity'>>();
  /** Includes cleared drafts, with empty text, because their `updated_at` still matters. */
  readonly drafts = new Map<string, Draft>();
  folders: readonly Folder[] = [];
  /** The account's own votes in polls, by message. */
  readonly votes = new Map<string, readonly number[]>();
  readonly threads: SeenThreads;
  /** The revision of each reply's text, on which the next patch is based; parts do not change it (PART-7). */
  readonly textRevisions = new Map<string, number>();

  constructor(threads: SeenThreads = new Map()) {
    this.threads = threads;
  }

  /** Applies a frame; returns what must be fetched for it. */
  apply({ method, params }: ReceivedFrame): Need | undefined {
    const name = method.replace(/^events\./, '');
    if (!Object.hasOwn(rules, name)) throw new Error(`${method} is not an event of the interface`);
    // `name` is a key, and the frame chain has validated the params.
    return (rules[name as EventName] as Known<EventName>)(this, params as EventParams<EventName>);
  }

  addChat(conversation: Conversation, messages: readonly Message[]): KnownChat {
    const chat: KnownChat = {
      id: conversation.id,
      kind: conversation.kind,
      pins: [...conversation.pinned_message_ids],
      channelIds: new Set(conversation.channels.map(({ id }) => id)),
      about: {
        title: conversation.title,
        description: conversation.description,
        avatar_url: conversation.avatar_url,
        visibility: conversation.visibility,
        posting: conversation.posting,
        participants: conversation.participants,
        participant_count: conversation.participant_count,
        people_count: conversation.people_count,
        channels: conversation.channels.map(({ id, title }) => ({ id, title })),
        is_muted: conversation.is_muted,
        muted_until: conversation.muted_until ?? null,
        last_read_message_id: conversation.last_read_message_id,
        last_read_position: conversation.last_read_position,
        unread_count: conversation.unread_count,
        unread_mentions: conversation.unread_mentions,
        needs_you: conversation.needs_you,
        open_decisions: conversation.open_decisions,
        pin_order: conversation.pin_order ?? null,
        archived_position: conversation.archived_position ?? null,
        is_marked_unread: conversation.is_marked_unread ?? false,
        folder_id: conversation.folder_id ?? null,
        cleared_position: conversation.cleared_position ?? null,
      },
      messages: new Map(messages.map((message) => [message.id, message])),
      lastMessageId: conversation.last_message?.id ?? null,
    };
    this.chats.set(chat.id, chat);
    for (const message of messages) {
      this.textRevisions.set(message.id, message.content_revision);
      this.#see(message);
    }
    return chat;
  }

  /** Inserts or replaces a message by id. */
  upsert(message: Message): Need | undefined {
    const chat = this.chats.get(message.conversation_id);
    if (!chat) return { load: message.conversation_id };
    this.activity.delete(message.id);
    // The account has cleared it (CHATSTATE-9).
    if (message.position <= (chat.about.cleared_position ?? 0)) return undefined;
    this.textRevisions.set(message.id, message.content_revision);
    this.#see(message);
    if (message.deleted_at === undefined) chat.messages.set(message.id, message);
    else chat.messages.delete(message.id);
    return undefined;
  }

  /** True if the known reply is at least as new as the snapshot. */
  isOutdated({ params }: ReceivedFrame): boolean {
    const known = this.find(String(params['id']));
    if (!known || (this.textRevisions.get(known.id) ?? 0) < Number(params['content_revision'])) return false;
    // With a text that is no newer, the parts may be (PART-7).
    if (Number(params['parts_revision'] ?? 0) > Math.max(known.parts_revision ?? 0, known.content_revision))
      return false;
    this.activity.delete(known.id);
    return true;
  }

  /** The account left the conversation: the client receives nothing more from it. */
  forget(chatId: string): void {
    this.chats.delete(chatId);
    this.forgetDrafts(({ chat_id }) => chat_id === chatId);
    for (const { id, conversation_id } of this.activity.values()) {
      if (conversation_id === chatId) this.activity.delete(id);
    }
  }

  find(messageId: string): Message | undefined {
    for (const chat of this.chats.values()) {
      const message = chat.messages.get(messageId);
      if (message) return message;
    }
    return undefined;
  }

  /** Drops the drafts of timelines that are gone; the service sends no events about them (DRAFT-10). */
  forgetDrafts(isGone: (draft: Draft) => boolean): void {
    for (const [place, draft] of this.drafts)
      if ((draft.channel_id ?? draft.thread_root_id) !== undefined && isGone(draft)) this.drafts.delete(place);
  }

  #see({ conversation_id, thread_root_id, channel_id }: Message): void {
    if (thread_root_id === null) return;
    const seen = this.threads.get(conversation_id) ?? new Map<string, { channel_id: string | null }>();
    this.threads.set(conversation_id, seen.set(thread_root_id, { channel_id }));
  }

  saveDraft(draft: Draft): void {
    // The last write wins.
    const place = `${draft.chat_id} ${draft.channel_id ?? ''} ${draft.thread_root_id ?? ''}`;
    if ((this.drafts.get(place)?.updated_at ?? 0) <= draft.updated_at) this.drafts.set(place, draft);
  }
}

const nothing = () => undefined;

/** How a client handles each event. Total: a new event does not compile without a rule. */
const rules: { readonly [Name in EventName]: Known<Name> } = {
  hello: nothing,
  tick: nothing,
  messageNew: (state, message) => state.upsert(message),
  messageComplete: (state, message) => state.upsert(message),
  messageDelta: applyDelta,
  messageDraftPatch: applyPatch,
  messagePart: applyPart,
  draftActivity(state, activity) {
    if (!state.chats.has(activity.conversation_id)) return { load: activity.conversation_id };
    state.activity.set(activity.id, activity);
    return undefined;
  },
  typing: nothing,
  reactionAdded(state, { message_id, reactor, emoji }) {
    const message = state.find(message_id);
    if (!message) return undefined;
    const known = message.reactions.find((group) => group.emoji === emoji);
    const reactors = [...(known?.reactors ?? []).filter(({ username }) => username !== reactor.username), reactor];
    const group = { emoji, count: reactors.length, reactors };
    replace(state, message, { reactions: [...message.reactions.filter((other) => other !== known), group] });
    return undefined;
  },
  reactionRemoved(state, { message_id, reactor, emoji }) {
    const message = state.find(message_id);
    if (!message) return undefined;
    const reactions = message.reactions.flatMap((group) => {
      if (group.emoji !== emoji) return [group];
      const reactors = group.reactors.filter(({ username }) => username !== reactor.username);
      return reactors.length === 0 ? [] : [{ emoji, count: reactors.length, reactors }];
    });
    replace(state, message, { reactions });
    return undefined;
  },
  conversationNew(state, conversation) {
    if (state.chats.has(conversation.id)) return undefined;
    if (conversation.last_message !== null) return { load: conversation.id };
    state.addChat(conversation, []);
    return undefined;
  },
  messageDeleted(state, { conversation_id, ids }) {
    state.forgetDrafts(({ thread_root_id }) => thread_root_id !== undefined && ids.includes(thread_root_id));
    for (const id of ids) {
      state.activity.delete(id);
      state.chats.get(conversation_id)?.messages.delete(id);
    }
    return undefined;
  },
  messagePinned(state, { conversation_id, message_id, pinned }) {
    const chat = state.chats.get(conversation_id);
    if (!chat) return undefined;
    const others = message_id === null ? [] : chat.pins.filter((id) => id !== message_id);
    chat.pins = pinned && message_id !== null ? [message_id, ...others] : others;
    return undefined;
  },
  inboxUpdated: nothing,
  presence: nothing,
  notesChanged: nothing,
  agentSourcesChanged: nothing,
  alert: nothing,
  cancelRun: nothing,
  inlineQuery: nothing,
  componentAction: nothing,
  draftUpdated(state, { conversation_id, origin: _origin, reply_to_id = null, ...draft }) {
    state.saveDraft({ chat_id: conversation_id, reply_to_id, ...draft });
    return undefined;
  },
  // The client fetches them again when it shows them.
  scheduledChanged: nothing,
  conversationUpdated(state, { conversation_id, ...changes }) {
    const chat = state.chats.get(conversation_id);
    if (!chat) return { load: conversation_id };
    // Unchanged fields are undefined.
    const known = Object.entries(changes).filter(([, value]) => value !== undefined);
    chat.about = { ...chat.about, ...Object.fromEntries(known) };
    if (changes.channels) {
      chat.about.channels = changes.channels.map(({ id, title }) => ({ id, title }));
      const former = chat.channelIds;
      const channelIds = new Set(changes.channels.map(({ id }) => id));
      chat.channelIds = channelIds;
      state.forgetDrafts(
        ({ chat_id, channel_id }) => chat_id === chat.id && channel_id !== undefined && !channelIds.has(channel_id),
      );
      // The mentions in a channel that was removed no longer count.
      if (chat.about.unread_mentions > 0 && !former.isSubsetOf(channelIds)) return { load: conversation_id };
    }
    const cleared = chat.about.cleared_position ?? 0;
    for (const [id, { position }] of chat.messages) if (position <= cleared) chat.messages.delete(id);
    return undefined;
  },
  conversationRemoved(state, { conversation_id }) {
    state.forget(conversation_id);
    return undefined;
  },
  messageUpdated: (state, message) => (state.find(message.id) ? state.upsert(message) : undefined),
  decisionUpdated(state, { message_id, decision }) {
    const message = state.find(message_id);
    if (message) replace(state, message, { decision });
    return undefined;
  },
  // The position is loaded for what is shown: see the tests of getReadPosition.
  messagesRead: nothing,
  versionsChanged(state, { conversation_id, ids, current }) {
    for (const id of ids) {
      const message = state.chats.get(conversation_id)?.messages.get(id);
      if (message) replace(state, message, { versions: ids.length > 1 ? { ids, current } : undefined });
    }
    return undefined;
  },
  pollVoted(state, { message_id, options }) {
    state.votes.set(message_id, options);
    return undefined;
  },
  accountUpdated(state, account) {
    for (const chat of state.chats.values()) rename(chat, account);
    return undefined;
  },
  foldersUpdated(state, { folders }) {
    state.folders = folders;
    const ids = new Set(folders.map(({ id }) => id));
    for (const { about } of state.chats.values())
      if (about.folder_id !== null && !ids.has(about.folder_id)) about.folder_id = null;
    return undefined;
  },
  // The settings are not part of a fresh load: see the tests of setPrivacy.
  privacyUpdated: nothing,
};

/** A delta fits if it starts at the end of the copy; one that was already applied is skipped (STREAM-6). */
function applyDelta(
  state: ClientState,
  { id, delta, offset, content_revision }: EventParams<'messageDelta'>,
): Need | undefined {
  const message = state.find(id);
  if (!message) return { snapshot: id };
  if (message.status !== 'streaming') return undefined;
  const size = Buffer.byteLength(message.content);
  if (offset <= size) return undefined;
  if (offset - Buffer.byteLength(delta) !== size) return { snapshot: id };
  state.textRevisions.set(id, content_revision);
  replace(state, message, { content: message.content + delta, content_revision });
  return undefined;
}

/** Applies changed lines to the revision they are based on; a client without it needs a snapshot (CAPS-5). */
function applyPatch(
  state: ClientState,
  { id, base_rev, rev, ops }: EventParams<'messageDraftPatch'>,
): Need | undefined {
  const message = state.find(id);
  if (message && message.status !== 'streaming') return undefined;
  if (!message || state.textRevisions.get(id) !== base_rev) return { whole: id };
  const lines = message.content.split('\n');
  for (const { at, del, ins } of ops.toReversed()) lines.splice(at, del, ...ins);
  state.textRevisions.set(id, rev);
  replace(state, message, {
    content: lines.join('\n'),
    content_revision: Math.max(rev, message.content_revision),
  });
  return undefined;
}

/** Inserts or replaces a part by its id; text that does not continue the copy's needs a snapshot (PART-4). */
function applyPart(state: ClientState, { id, part, content_revision }: EventParams<'messagePart'>): Need | undefined {
  const message = state.find(id);
  if (!message) return { snapshot: id };
  if (message.status !== 'streaming' || content_revision <= message.content_revision) return undefined;
  const parts = new Map((message.parts ?? []).map((one) => [one.id, one]));
  if ('append' in part) {
    const known = parts.get(part.id);
    if (known?.type !== 'reasoning') return { snapshot: id };
    const size = Buffer.byteLength(known.text);
    const isNew = part.text_offset - Buffer.byteLength(part.append) === size;
    if (!isNew && part.text_offset > size) return { snapshot: id };
    const { duration_ms = known.duration_ms } = part;
    const text = isNew ? known.text + part.append : known.text;
    parts.set(part.id, { ...known, text, ...(duration_ms !== undefined && { duration_ms }) });
  } else parts.set(part.id, part);
  replace(state, message, { parts: [...parts.values()], content_revision });
  return undefined;
}

/** Updates an account wherever it appears. */
function rename(chat: KnownChat, account: Account): void {
  const { username, kind, display_name } = account;
  const actor = { username, kind, display_name };
  const isIt = (other: { username: string }): boolean => other.username === username;
  chat.about.participants = chat.about.participants.map((one) => (isIt(one) ? { ...one, ...actor } : one));
  for (const [id, message] of chat.messages)
    chat.messages.set(id, {
      ...message,
      sender: isIt(message.sender) ? account : message.sender,
      reactions: message.reactions.map((group) => ({
        ...group,
        reactors: group.reactors.map((reactor) => (isIt(reactor) ? actor : reactor)),
      })),
    });
}

function replace(state: ClientState, message: Message, changes: Partial<Message>): void {
  state.chats.get(message.conversation_id)?.messages.set(message.id, { ...message, ...changes });
}
