import type { StoredMessage } from '@parley/client/store';
import type { Message } from '@parley/protocol';
import { shownName } from '../../words/shown-name.ts';
import { parseMarkdown } from '../../markdown/parser/parse.ts';
import { textOfBlocks } from '../../markdown/parser/text-of.ts';

const MOST_READ = 400;

/** The name of somebody who is mentioned, where it is known. */
type NameOf = (username: string) => string | undefined;

/** One line of a message, without its marks. */
export function previewOf(message: StoredMessage, { me, isGroup }: { me: string; isGroup: boolean }): string {
  const text = plainLine(message);
  if (message.sender.username === me) return `You: ${text}`;
  return isGroup ? `${shownName(message.sender)}: ${text}` : text;
}

/** The text of a message as one plain line, without its marks; what it holds instead where there is none. */
export function plainLine({ content, attachments, service, status }: Message, nameOf?: NameOf): string {
  // What follows a fence names the language of the code.
  const begin = content.slice(0, MOST_READ).replaceAll(/^(\s*(?:`{3,}|~{3,}))[^`\n]*$/gm, '$1');
  const plain = textOfBlocks(parseMarkdown(begin), nameOf).replaceAll(/\s+/g, ' ').trim();
  if (plain !== '') return plain;
  const [first] = attachments;
  if (first) return first.kind === 'photo' ? 'Photo' : (first.name ?? first.title ?? 'File');
  if (service) return 'Notice';
  return status === 'streaming' ? 'is thinking …' : status === 'failed' ? 'could not answer' : '…';
}
