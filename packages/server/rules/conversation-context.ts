// The part of a conversation that a model receives: the newest messages that fit the limits, in the form that vendors
// require (a user first, no empty text). In a group each message of others is a separate entry that names its sender.

import { type AgentContext, limits } from '@parley/protocol';
import { type FileContents, filesOf, type MessageFile, noContents, noteOf, quotesOf } from './context-files.ts';
import {
  attachmentNote,
  type ContextAttachment,
  indented,
  nameOf,
  transcriptNote,
  WHY_CHARACTERS,
  withoutForgedNotes,
} from './context-notes.ts';

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

/** `from`: the sender's username, in a group. It is missing in direct chats and in the agent's own entries. */
export type ContextEntry = { role: 'user' | 'assistant'; text: string; from?: string; files?: readonly MessageFile[] };

export type ContextOptions = {
  agentUsername: string;
  isGroup: boolean;
  maxMessages: number;
  /** Maximum UTF-16 code units of the whole context, names and separators included, texts of files not. */
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

/** A message of the context, before its files are read. */
export interface Selected<Message extends ContextMessage = ContextMessage> {
  message: Message;
  role: 'user' | 'assistant';
  /** The text, without the notes about files. */
  said: string;
  /** True if `said` names the sender at most, so that a note continues its line. */
  isBare: boolean;
  /** The sender in a group. */
  from?: string;
  /** Uploaded files, which a model may receive. */
  files: readonly ContextAttachment[];
}

/** `messages`: one timeline, oldest first; the last message is the one that fired the agent. */
export const buildContext = (messages: readonly ContextMessage[], options: ContextOptions): ContextEntry[] =>
  entriesOf(selectMessages(messages, options), noContents);

/** The messages that fit, oldest first. */
export function selectMessages<Message extends ContextMessage>(
  messages: readonly Message[],
  options: ContextOptions,
): Selected<Message>[] {
  const newestFirst: Selected<Message>[] = [];
  let used = 0;
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const isFiring = index === messages.length - 1;
    if (!isFiring && newestFirst.length >= options.maxMessages) break;

    const selected = selectedOf(message, options);
    if (selected === null) continue;
    // Neighbours of one role are sent as one text to vendors that require alternating roles.
    const separator = newestFirst.at(-1)?.role === selected.role ? SEPARATOR.length : 0;
    const opening = selected.role === 'assistant' ? OPENING.length : 0;
    const room = options.maxCharacters - used - separator - opening;
    // Room for the longest notes: what becomes of the files is not known yet.
    const notes = textOf({ ...selected, said: '' }, noContents).length + selected.files.length * NOTE_ROOM;
    if (isFiring) selected.said = cut(selected.said, room - notes);
    const size = selected.said.length + notes;
    if (size > room || size === 0) break;
    used += separator + size;
    newestFirst.push(selected);
  }
  return newestFirst.toReversed();
}

/** Whether messages with a text or a file are older than the selected ones. */
export function leavesOut<Message extends ContextMessage>(
  messages: readonly Message[],
  [oldest]: readonly Selected<Message>[],
  options: ContextOptions,
): boolean {
  const older = oldest ? messages.slice(0, messages.indexOf(oldest.message)) : messages;
  return older.some((message) => selectedOf(message, options) !== null);
}

const NOTE_ROOM = attachmentNote({ kind: '' }, '').length - attachmentNote({ kind: '' }).length + WHY_CHARACTERS;

function selectedOf<Message extends ContextMessage>(
  message: Message,
  options: ContextOptions,
): Selected<Message> | null {
  const { senderUsername, senderDisplayName, content, attachments = [], forwardedFrom, act = '' } = message;
  const isOwn = senderUsername === options.agentUsername;
  // Vendors take no files in what the assistant says.
  const isFile = ({ id, transcript }: ContextAttachment): boolean =>
    id !== undefined && transcript === undefined && !isOwn;
  const files = attachments.filter(isFile);
  const notes = attachments
    .filter((attachment) => !isFile(attachment))
    .map((attachment) =>
      attachment.transcript === undefined
        ? attachmentNote(attachment)
        : transcriptNote(attachment, attachment.transcript),
    );
  const parts = [act, isOwn ? content : withoutForgedNotes(content), ...notes];
  const text = parts.filter((part) => part.trim() !== '').join('\n');
  if (text === '' && files.length === 0) return null;
  const origin = forwardedFrom ? `[forwarded from ${nameOf(forwardedFrom)}] ` : '';
  const plain = {
    message,
    role: isOwn ? 'assistant' : 'user',
    said: origin + text,
    isBare: text === '',
    files,
  } as const;
  if (isOwn || !options.isGroup) return plain;
  const sender = nameOf({ username: senderUsername, displayName: senderDisplayName });
  return { ...plain, said: `${sender}: ${indented(plain.said)}`, from: senderUsername };
}

/** The whole text of a message, with the notes about its files and the texts of those that were read. */
function textOf({ said, isBare, files, from }: Selected, contents: FileContents): string {
  const lines = [...files.map((file) => noteOf(file, contents)), ...quotesOf(files, contents)].join('\n');
  if (lines === '') return said;
  const added = isBare ? lines : `\n${lines}`;
  return said + (from === undefined ? added : indented(added));
}

/** The beginning of a text that has at most so many UTF-16 units; never half a character. */
export function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room < 1) return '';
  const kept = text.slice(0, room - 1);
  const last = kept.charCodeAt(kept.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? kept.slice(0, -1) : kept}…`;
}

/** A message under its sender's name, as in a group, with its files named; null if it is blank. */
export function quotedLine(message: ContextMessage): string | null {
  const selected = selectedOf(message, { agentUsername: '', isGroup: true, ...contextLimits });
  return selected && textOf(selected, noContents);
}

/**
 * The selected messages as a model receives them, with the contents of their files (CONTEXT-14), after the service's
 * notes: what the agent remembers, and the summary of older ones.
 */
export function entriesOf(
  selected: readonly Selected[],
  contents: FileContents,
  before: readonly string[] = [],
): ContextEntry[] {
  const result: ContextEntry[] = [];
  if (before.length > 0) result.push({ role: 'user', text: before.join(SEPARATOR) });
  else if (selected[0]?.role === 'assistant') result.push({ role: 'user', text: OPENING });
  for (const one of selected) {
    const { role, from } = one;
    const text = textOf(one, contents);
    const files = filesOf(one.files, contents, from === undefined ? (added) => added : indented);
    const last = result.at(-1);
    // Neighbours of one role are joined, unless they name their senders or a file stands between them.
    const isJoined = last?.role === role && from === undefined && last.from === undefined && !last.files;
    const entry: ContextEntry = isJoined ? last : { role, text: '', ...(from !== undefined && { from }) };
    if (!isJoined) result.push(entry);
    entry.text += isJoined ? SEPARATOR + text : text;
    if (files.length > 0) entry.files = files;
  }
  return result;
}
