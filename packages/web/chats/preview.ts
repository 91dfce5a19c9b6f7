import type { StoredMessage } from '@parley/client/store';

/** One line of a message, without its marks. */
export function previewOf(message: StoredMessage, { me, isGroup }: { me: string; isGroup: boolean }): string {
  const text = plainLine(message);
  if (message.sender.username === me) return `You: ${text}`;
  return isGroup ? `${message.sender.display_name}: ${text}` : text;
}

/** The text of a message as one plain line; what it holds instead where there is none. */
export function plainLine({ content, attachments, service, status }: StoredMessage): string {
  const plain = content
    .slice(0, 400)
    .replaceAll(/```[\w-]*\n?|`/g, '')
    .replaceAll(/\{%[^%]*(?:%(?!\})[^%]*)*%\}/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[#>\-*+\s]+|\*\*|__|~~/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain !== '') return plain;
  const [first] = attachments;
  if (first) return first.kind === 'photo' ? 'Photo' : (first.name ?? first.title ?? 'File');
  if (service) return 'Notice';
  return status === 'streaming' ? 'is thinking …' : status === 'failed' ? 'could not answer' : '…';
}
