import type { StoredMessage } from '@parley/client/store';
import { fullTime } from '../../words/times.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';

type Copied = Pick<StoredMessage, 'sender' | 'created_at' | 'content'>;

/** What several messages are as text: each with its sender and time; a single one is only its text. */
export function copiedText(messages: readonly Copied[]): string {
  if (messages.length === 1) return messages[0]?.content ?? '';
  return messages
    .map(
      ({ sender, created_at, content }) =>
        `${t('{name}, {time}', { name: shownName(sender), time: fullTime(created_at) })}\n${content}`,
    )
    .join('\n\n');
}
