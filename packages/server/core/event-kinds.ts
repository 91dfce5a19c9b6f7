// The kinds of events in the update log, and the scopes that decide which accounts see an event.

/** Classes of events. Each event has one, and a socket's caps decide which classes it receives (CAPS-1). */
export const eventClass = {
  base: 1,
  draft: 2,
  delta: 4,
  typing: 8,
  patch: 16,
  activity: 32,
  ext: 64,
  part: 128,
  /** What others are doing, for sockets with `ext`; it is in no replay. */
  signal: 256,
} as const;

/** How a replay rebuilds an event from the row that `ref` names; the params of such events are not stored. */
type Rebuilt = 'message' | 'stream' | 'stream-again' | 'vote' | 'chat' | 'chat-changes' | 'account';

/** How a replay reads the current draft that `ref` names: of a conversation, or of a channel or thread. */
type DraftReplay = 'draft' | 'timeline-draft';

interface EventKind {
  /** The kind as stored in the log: never change or reuse a code. 0 for events that are not stored. */
  code: number;
  method: `events.${string}`;
  class: number;
  /**
   * How the event is replayed: rebuilt from the current row that `ref` names (the message, the account's vote in its poll,
   * the chat, its changes or the account), from the stored params, from the stored params while they are younger than `withinMs`,
   * from memory (`kept`), or never.
   */
  replay: Rebuilt | DraftReplay | 'params' | 'message-params' | { withinMs: number } | 'kept' | 'never';
  /** The event is not sent to the socket whose call caused it: the call's reply contains the same data (CONV-5). */
  skipsCaller?: true;
}

export const eventKinds = {
  messageNew: { code: 1, method: 'events.messageNew', class: eventClass.base, replay: 'message' },
  streamStarted: { code: 2, method: 'events.messageNew', class: eventClass.draft, replay: 'stream' },
  // A reply that had ended goes on (CONTINUE-3).
  streamContinued: { code: 43, method: 'events.messageNew', class: eventClass.draft, replay: 'stream-again' },
  messageComplete: { code: 3, method: 'events.messageComplete', class: eventClass.base, replay: 'message' },
  reactionAdded: { code: 4, method: 'events.reactionAdded', class: eventClass.base, replay: 'message-params' },
  reactionRemoved: { code: 5, method: 'events.reactionRemoved', class: eventClass.base, replay: 'message-params' },
  conversationNew: {
    code: 6,
    method: 'events.conversationNew',
    class: eventClass.base,
    replay: 'chat',
    skipsCaller: true,
  },
  messageDeleted: { code: 7, method: 'events.messageDeleted', class: eventClass.base, replay: 'params' },
  messagePinned: { code: 8, method: 'events.messagePinned', class: eventClass.base, replay: 'params' },
  alert: { code: 9, method: 'events.alert', class: eventClass.base, replay: { withinMs: 60_000 } },
  cancelRun: { code: 10, method: 'events.cancelRun', class: eventClass.base, replay: { withinMs: 60_000 } },
  draftUpdated: { code: 12, method: 'events.draftUpdated', class: eventClass.base, replay: 'draft' },
  conversationUpdated: {
    code: 13,
    method: 'events.conversationUpdated',
    class: eventClass.ext,
    replay: 'chat-changes',
  },
  inboxUpdated: { code: 34, method: 'events.inboxUpdated', class: eventClass.ext, replay: 'params' },
  conversationRemoved: { code: 14, method: 'events.conversationRemoved', class: eventClass.ext, replay: 'params' },
  // A new member's sockets with the cap `ext` receive this event before any message of the conversation.
  conversationAdded: { code: 15, method: 'events.conversationNew', class: eventClass.ext, replay: 'chat' },
  messageUpdated: { code: 16, method: 'events.messageUpdated', class: eventClass.ext, replay: 'message' },
  accountUpdated: { code: 17, method: 'events.accountUpdated', class: eventClass.ext, replay: 'account' },
  // In a deleted channel it names ids, as messageDeleted does.
  versionsChanged: { code: 18, method: 'events.versionsChanged', class: eventClass.ext, replay: 'params' },
  foldersUpdated: { code: 20, method: 'events.foldersUpdated', class: eventClass.ext, replay: 'params' },
  pollVoted: { code: 36, method: 'events.pollVoted', class: eventClass.ext, replay: 'vote' },
  privacyUpdated: { code: 19, method: 'events.privacyUpdated', class: eventClass.ext, replay: 'params' },
  // The draft of a channel or thread: clients that know only drafts of conversations must not take it for one.
  timelineDraftUpdated: { code: 41, method: 'events.draftUpdated', class: eventClass.ext, replay: 'timeline-draft' },
  scheduledChanged: { code: 38, method: 'events.scheduledChanged', class: eventClass.ext, replay: 'params' },
  componentAction: { code: 42, method: 'events.componentAction', class: eventClass.ext, replay: { withinMs: 60_000 } },
  // Not stored: a replay takes the queries that still wait for an answer from memory.
  inlineQuery: { code: 0, method: 'events.inlineQuery', class: eventClass.base, replay: { withinMs: 3_000 } },
  messageDelta: { code: 0, method: 'events.messageDelta', class: eventClass.delta, replay: 'never' },
  messagePart: { code: 0, method: 'events.messagePart', class: eventClass.part, replay: 'never' },
  streamSnapshot: { code: 0, method: 'events.messageNew', class: eventClass.delta, replay: 'never' },
  draftPatch: { code: 0, method: 'events.messageDraftPatch', class: eventClass.patch, replay: 'never' },
  patchSnapshot: { code: 0, method: 'events.messageNew', class: eventClass.patch, replay: 'never' },
  draftActivity: { code: 0, method: 'events.draftActivity', class: eventClass.activity, replay: 'never' },
  messagesRead: { code: 0, method: 'events.messagesRead', class: eventClass.signal, replay: 'never' },
  // Not stored: a replay takes the ends of typing from memory.
  typing: { code: 0, method: 'events.typing', class: eventClass.typing, replay: 'kept' },
} as const satisfies Record<string, EventKind>;

export type EventKindName = keyof typeof eventKinds;

export const skipsCaller = (kind: EventKindName): boolean => 'skipsCaller' in eventKinds[kind];

const byCode = new Map<number, EventKindName>();
const kindNames = Object.keys(eventKinds) as EventKindName[]; // keys of a constant
for (const name of kindNames) if (eventKinds[name].code !== 0) byCode.set(eventKinds[name].code, name);

const rebuilt: ReadonlySet<unknown> = new Set<Rebuilt>([
  'message',
  'stream',
  'stream-again',
  'vote',
  'chat',
  'chat-changes',
  'account',
]);
/** Whether a replay rebuilds the event from the row that `ref` names: its params are not stored. */
export const isRebuilt = (kind: EventKindName): boolean => rebuilt.has(eventKinds[kind].replay);

const drafts: ReadonlySet<unknown> = new Set<DraftReplay>(['draft', 'timeline-draft']);
/** Whether a replay reads the current draft: neither its row in the log nor a deleted draft keeps a text. */
export const isOfDraft = (kind: EventKindName): boolean => drafts.has(eventKinds[kind].replay);

const ofNoMessage: ReadonlySet<unknown> = new Set<EventKind['replay']>([
  'chat',
  'chat-changes',
  'account',
  'draft',
  'timeline-draft',
  'kept',
]);
/** Whether `ref` names a message, so that only accounts that may see the message receive the event. */
export function isOfMessage(kind: EventKindName): boolean {
  const { replay } = eventKinds[kind];
  return typeof replay === 'string' && !ofNoMessage.has(replay);
}

/** Codes of the kinds that are about a message. */
export const codesOfMessages: readonly number[] = [...byCode]
  .filter(([, kind]) => isOfMessage(kind))
  .map(([code]) => code);

/** Codes of the kinds whose stored row contains something that a replay needs. */
export const keptCodes: readonly number[] = [...byCode].filter(([, kind]) => !isRebuilt(kind)).map(([code]) => code);

/** Codes of the stored kinds of a class. */
export const codesOf = (named: number): readonly number[] =>
  [...byCode].filter(([, kind]) => eventKinds[kind].class === named).map(([code]) => code);

/** The kind of a stored event; undefined if a later version stored it. */
export const kindByCode = (code: number): EventKindName | undefined => byCode.get(code);

export type Scope = number;
/** The accounts that participate in a conversation at the event's position in the log. */
export const chatScope = (chatKey: number): Scope => 2 * chatKey;
/** One account, on all its sockets. */
export const accountScope = (accountKey: number): Scope => 2 * accountKey + 1;
export const isAccountScope = (scope: Scope): boolean => scope % 2 === 1;
export const scopeKey = (scope: Scope): number => Math.floor(scope / 2);

/** The scopes that an account sees: itself and its conversations. */
export function scopesOf(accountKey: number, chats: Iterable<number>): Set<Scope> {
  const scopes = new Set<Scope>([accountScope(accountKey)]);
  for (const chatKey of chats) scopes.add(chatScope(chatKey));
  return scopes;
}

/** A timeline as one string; sockets with the cap `focus` are looked up by it. */
export type TimelineId = string;
export const timelineOf = (place: {
  chatKey: number;
  channelId: string | null;
  threadRootId: string | null;
}): TimelineId => `${place.chatKey}/${place.channelId ?? ''}/${place.threadRootId ?? ''}`;
