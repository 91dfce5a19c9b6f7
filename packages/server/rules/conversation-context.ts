// What a model gets of a conversation: the newest messages that fit the budgets,
// as the vendors want them (a user first, roles in turns, no empty text).

export type ContextMessage = {
  senderUsername: string;
  senderDisplayName: string;
  content: string;
  attachments?: readonly ContextAttachment[] | undefined;
  /** Who has said it first, where the sender has only passed it on. */
  forwardedFrom?: { username: string; displayName: string } | undefined;
};

export type ContextAttachment = { kind: string; title?: string | undefined; name?: string | undefined };

export type ContextEntry = { role: 'user' | 'assistant'; text: string };

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

/** `messages`: one timeline, oldest first, up to and with the one that fired the agent. */
export function buildContext(messages: readonly ContextMessage[], options: ContextOptions): ContextEntry[] {
  const newestFirst: ContextEntry[] = [];
  let used = 0;
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const isFiring = index === messages.length - 1;
    if (!isFiring && newestFirst.length >= options.maxMessages) break;

    const entry = contextEntry(message, options);
    if (entry === null) continue;
    const separator = newestFirst.at(-1)?.role === entry.role ? SEPARATOR.length : 0;
    const opening = entry.role === 'assistant' ? OPENING.length : 0;
    const room = options.maxCharacters - used - separator - opening;
    if (isFiring) entry.text = cut(entry.text, room);
    if (entry.text.length > room || entry.text === '') break;
    used += separator + entry.text.length;
    newestFirst.push(entry);
  }
  return merged(newestFirst.toReversed());
}

function contextEntry(message: ContextMessage, options: ContextOptions): ContextEntry | null {
  const parts = [message.content, ...(message.attachments ?? []).map(attachmentText)];
  const said = parts.filter((part) => part.trim() !== '').join('\n');
  if (said === '') return null;
  const { forwardedFrom } = message;
  const origin = forwardedFrom ? `[forwarded from ${forwardedFrom.displayName} (@${forwardedFrom.username})] ` : '';
  const text = origin + said;
  if (message.senderUsername === options.agentUsername) return { role: 'assistant', text };
  const name = options.isGroup ? `${message.senderDisplayName} (@${message.senderUsername}): ` : '';
  return { role: 'user', text: name + text };
}

function attachmentText({ kind, title, name }: ContextAttachment): string {
  const label = title || name;
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

function merged(entries: readonly ContextEntry[]): ContextEntry[] {
  const result: ContextEntry[] = [];
  if (entries[0]?.role === 'assistant') result.push({ role: 'user', text: OPENING });
  for (const { role, text } of entries) {
    const last = result.at(-1);
    if (last?.role === role) last.text += SEPARATOR + text;
    else result.push({ role, text });
  }
  return result;
}
