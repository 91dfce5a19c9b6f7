// What a model gets of a conversation: the newest messages that fit the budgets, as the vendors want them (a user
// first, no empty text). In a group each message of others is an entry of its own that names its sender.

import { oneLine } from './file-names.ts';

export type ContextMessage = {
  senderUsername: string;
  senderDisplayName: string;
  content: string;
  attachments?: readonly ContextAttachment[] | undefined;
  /** Who has said it first, where the sender has only passed it on. */
  forwardedFrom?: { username: string; displayName: string } | undefined;
  /** What the sender did, in the service's own words (CONTEXT-11). */
  act?: string | undefined;
};

export type ContextAttachment = { kind: string; title?: string | undefined; name?: string | undefined };

/** `from`: the username of who wrote it, in a group; entries without it are those of a direct chat and the agent's own. */
export type ContextEntry = { role: 'user' | 'assistant'; text: string; from?: string };

export type ContextOptions = {
  agentUsername: string;
  isGroup: boolean;
  maxMessages: number;
  /** UTF-16 code units, counted over all that is sent, names and separators included. */
  maxCharacters: number;
};

export const contextLimits = { maxMessages: 40, maxCharacters: 32_000 } as const;

// Vendors refuse a conversation that begins with the assistant.
const OPENING = '(earlier conversation)';
const SEPARATOR = '\n\n';
/** Begins every line but the first of a message in a group: no line of a text stands where a sender's name does. */
const INDENT = '  ';

/** `messages`: one timeline, oldest first, up to and with the one that fired the agent. */
export function buildContext(messages: readonly ContextMessage[], options: ContextOptions): ContextEntry[] {
  const newestFirst: ContextEntry[] = [];
  let used = 0;
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const isFiring = index === messages.length - 1;
    if (!isFiring && newestFirst.length >= options.maxMessages) break;

    const entry = contextEntry(message, options);
    if (entry === null) continue;
    // Vendors that take one entry a turn get neighbours joined.
    const separator = newestFirst.at(-1)?.role === entry.role ? SEPARATOR.length : 0;
    const opening = entry.role === 'assistant' ? OPENING.length : 0;
    const room = options.maxCharacters - used - separator - opening;
    if (isFiring) entry.text = cut(entry.text, room);
    if (entry.text.length > room || entry.text === '') break;
    used += separator + entry.text.length;
    newestFirst.push(entry);
  }
  return joined(newestFirst.toReversed());
}

function contextEntry(message: ContextMessage, options: ContextOptions): ContextEntry | null {
  const { senderUsername, senderDisplayName, content, attachments = [], forwardedFrom, act = '' } = message;
  const isOwn = senderUsername === options.agentUsername;
  const parts = [act, isOwn ? content : withoutForgedNotes(content), ...attachments.map(attachmentText)];
  const said = parts.filter((part) => part.trim() !== '').join('\n');
  if (said === '') return null;
  const origin = forwardedFrom ? `[forwarded from ${nameOf(forwardedFrom)}] ` : '';
  const text = origin + said;
  if (isOwn) return { role: 'assistant', text };
  if (!options.isGroup) return { role: 'user', text };
  const sender = nameOf({ username: senderUsername, displayName: senderDisplayName });
  return { role: 'user', text: `${sender}: ${indented(text)}`, from: senderUsername };
}

/** Display name and `(@username)`. Without these characters no display name looks like the end of a header or a note. */
const nameOf = ({ username, displayName }: { username: string; displayName: string }): string =>
  `${oneLine(displayName.replaceAll(/[@:[\]]/g, ' '))} (@${username})`;

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

const indented = (text: string): string => text.replaceAll(lineBreak, `\n${INDENT}`);

/** Notes in brackets are the service's: a line that somebody wrote to look like one gets a backslash before it. */
const withoutForgedNotes = (text: string): string =>
  text.replaceAll(
    /(^|[\n\r\v\f\u0085\u2028\u2029])([^\S\n\r\v\f\u0085\u2028\u2029]*)\[(?=(?:forwarded from|pressed the button|submitted the form|news|ticker|positions|photo|file)\b)/gi,
    String.raw`$1$2\[`,
  );

function attachmentText({ kind, title, name }: ContextAttachment): string {
  const label = oneLine(title || name || '');
  return label ? `[${kind}: ${label}]` : `[${kind}]`;
}

function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room < 1) return '';
  const kept = text.slice(0, room - 1);
  const last = kept.charCodeAt(kept.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? kept.slice(0, -1) : kept}…`;
}

/** Joins neighbours of one role, unless they name who wrote them. */
function joined(entries: readonly ContextEntry[]): ContextEntry[] {
  const result: ContextEntry[] = [];
  if (entries[0]?.role === 'assistant') result.push({ role: 'user', text: OPENING });
  for (const entry of entries) {
    const last = result.at(-1);
    const isJoined = last?.role === entry.role && entry.from === undefined && last.from === undefined;
    if (isJoined) last.text += SEPARATOR + entry.text;
    else result.push({ ...entry });
  }
  return result;
}
