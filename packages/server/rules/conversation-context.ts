// The part of a conversation that a model receives: the newest messages that fit the limits, in the form that vendors
// require (a user first, no empty text). In a group each message of others is a separate entry that names its sender.

import { type AgentContext, limits } from '@parley/protocol';
import { oneLine } from './file-names.ts';

export type ContextMessage = {
  senderUsername: string;
  senderDisplayName: string;
  content: string;
  attachments?: readonly ContextAttachment[] | undefined;
  /** The original author of a forwarded message. */
  forwardedFrom?: { username: string; displayName: string } | undefined;
  /** A press or a submitted form of the sender, as `actText` describes it (CONTEXT-11). */
  act?: string | undefined;
};

export type ContextAttachment = { kind: string; title?: string | undefined; name?: string | undefined };

/** `from`: the sender's username, in a group. It is missing in direct chats and in the agent's own entries. */
export type ContextEntry = { role: 'user' | 'assistant'; text: string; from?: string };

export type ContextOptions = {
  agentUsername: string;
  isGroup: boolean;
  maxMessages: number;
  /** Maximum UTF-16 code units of the whole context, names and separators included. */
  maxCharacters: number;
};

export const contextLimits = { maxMessages: limits.contextMessages, maxCharacters: limits.contextCharacters } as const;

/** What an agent's model is sent of a conversation: the owner's values, where set (CUSTOM-11). */
export const contextOf = (given: Partial<AgentContext>): AgentContext => ({
  messages: given.messages ?? limits.contextMessages,
  characters: given.characters ?? limits.contextCharacters,
  files: given.files ?? true,
});

// Vendors refuse a conversation that begins with the assistant.
const OPENING = '(earlier conversation)';
const SEPARATOR = '\n\n';
/** Begins every line of a group message except the first, so that only a sender's name can stand at the left edge. */
const INDENT = '  ';

/** `messages`: one timeline, oldest first; the last message is the one that fired the agent. */
export function buildContext(messages: readonly ContextMessage[], options: ContextOptions): ContextEntry[] {
  const newestFirst: ContextEntry[] = [];
  let used = 0;
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const isFiring = index === messages.length - 1;
    if (!isFiring && newestFirst.length >= options.maxMessages) break;

    const entry = contextEntry(message, options);
    if (entry === null) continue;
    // Neighbours of one role are sent as one text to vendors that require alternating roles.
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

/** Display name and `(@username)`. `@`, `:` and brackets are removed: a name must not imitate a header or a note. */
const nameOf = ({ username, displayName }: { username: string; displayName: string }): string =>
  `${oneLine(displayName.replaceAll(/[@:[\]]/g, ' '))} (@${username})`;

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

const indented = (text: string): string => text.replaceAll(lineBreak, `\n${INDENT}`);

/** Only the service writes notes in brackets: a line of a message that imitates one gets a backslash before it. */
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

/** Joins neighbouring entries of one role, unless they name their senders. */
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
