// The kinds of events in the update log, and the scopes that decide which accounts see an event.

import {
  type DraftReplay,
  type EventClass,
  eventClasses,
  type EventDeclaration,
  eventDeclarations,
  type EventKind,
  type EventName,
  eventNames,
  type RebuiltEvent,
} from '@parley/protocol';

/** The bits of the classes of events; a socket's caps decide which it receives (CAPS-1). */
export const eventClass = Object.fromEntries(
  Object.entries(eventClasses).map(([name, { bit }]) => [name, bit]),
) as Record<
  EventClass, // the keys that were mapped
  number
>;

type Declarations = typeof eventDeclarations;
type Logged = { [Name in EventName]: Declarations[Name] extends { kinds: infer Kinds } ? keyof Kinds : never };
export type EventKindName = Logged[EventName];

interface LoggedKind extends Omit<EventKind, 'class' | 'code'> {
  /** 0 for kinds that are not stored. */
  code: number;
  method: `events.${EventName}`;
  class: number;
}

/** The kinds of events in the log, from the declarations of the events. */
export const eventKinds = Object.fromEntries(
  eventNames.flatMap((name) => {
    const declaration: EventDeclaration = eventDeclarations[name];
    return Object.entries('kinds' in declaration ? declaration.kinds : {}).map(([kind, declared]) => [
      kind,
      { code: 0, ...declared, method: `events.${name}`, class: eventClass[declared.class] },
    ]);
  }),
) as Readonly<Record<EventKindName, LoggedKind>>; // the kinds of all events

export const skipsCaller = (kind: EventKindName): boolean => eventKinds[kind].skipsCaller === true;

const byCode = new Map<number, EventKindName>();
const kindNames = Object.keys(eventKinds) as EventKindName[]; // keys of a constant
for (const name of kindNames) if (eventKinds[name].code !== 0) byCode.set(eventKinds[name].code, name);

const rebuilt: ReadonlySet<unknown> = new Set<RebuiltEvent>([
  'message',
  'stream',
  'stream-again',
  'vote',
  'decision',
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
