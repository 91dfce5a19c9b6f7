import type { StoredMessage } from '@parley/client/store';
import { parseMarkdown, textOfBlocks } from '@parley/markdown';
import type { Message } from '@parley/protocol';
import { calmText } from '../../words/calm-text.ts';
import { shownName } from '../../words/shown-name.ts';
import type { NameOf } from './known-names.ts';
import { addedOf, addedText } from './added-notice.ts';
import { joinOf } from './join-notice.ts';
import { t } from '../../words/t.ts';
import { writtenText } from '../../words/written-text.ts';

const MAX_READ = 400;

interface Reader {
  me: string;
  isGroup: boolean;
  /** The reader's notes to themselves: nobody else writes there. */
  isSaved: boolean;
  nameOf: NameOf;
  /** The title of a channel of the conversation. */
  titleOf: (channelId: string) => string | undefined;
}

/** The newest message of a conversation as one line. */
export function previewOf(message: StoredMessage, { me, nameOf, titleOf }: Reader): string {
  const added = addedOf(message.service);
  if (added) return addedText({ added, sender: message.sender, me, nameOf, titleOf });
  if (!joinOf(message.service)) return plainLine(message, nameOf);
  return message.sender.username === me
    ? t('You joined the group')
    : t('{name} joined the group', { name: shownName(message.sender) });
}

/** Who stands before that line, where that may be somebody else; otherwise empty. */
export function previewSender({ sender, service }: StoredMessage, { me, isGroup, isSaved }: Reader): string {
  if (isSaved || joinOf(service) || addedOf(service)) return '';
  if (sender.username === me) return t('You');
  return isGroup ? shownName(sender) : '';
}

/** A message as one plain line: its text without Markdown, or a word for its attachment or state. */
export function plainLine(message: Message, nameOf: NameOf): string {
  const { poll, attachments, service, status, finish_reason } = message;
  if (poll) return t('Poll: {question}', { question: calmText(poll.question) });
  // Skip the fence's language.
  const begin = writtenText(message)
    .slice(0, MAX_READ)
    .replaceAll(/^([ \t]*(?:`{3,}|~{3,}(?!~)))[^`\n]*$/gm, '$1');
  const plain = calmText(textOfBlocks(parseMarkdown(begin), { nameOf }).replaceAll(/\s+/g, ' ')).trim();
  if (plain !== '') return plain;
  const [first] = attachments;
  if (attachments.length > 1) return countOf(attachments);
  if (first?.waveform !== undefined) return t('Voice message');
  if (first) return first.kind === 'photo' ? t('Photo') : (first.name ?? first.title ?? t('File'));
  if (service) return t('Notice');
  if (finish_reason === 'waiting') return t('Waiting for a decision');
  return status === 'streaming' ? t('Thinking …') : status === 'failed' ? t('Couldn’t answer') : '…';
}

function countOf(attachments: Message['attachments']): string {
  const count = attachments.length;
  return attachments.every(({ kind }) => kind === 'photo')
    ? t('{count, plural, one {# photo} other {# photos}}', { count })
    : t('{count, plural, one {# file} other {# files}}', { count });
}
