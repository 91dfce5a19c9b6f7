import type { StoredMessage } from '@parley/client/store';
import { fullTime } from '../../words/times.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { isRefusal, writtenText } from '../../words/written-text.ts';

type Copied = Pick<
  StoredMessage,
  'sender' | 'created_at' | 'content' | 'component_action' | 'decision' | 'status' | 'finish_reason' | 'reminder_of'
>;

/** A refusal has a note in the app instead of a text. */
const textOf = (message: Copied): string => (isRefusal(message) ? t('Couldn’t answer') : writtenText(message));

/** What several messages are as text: each with its sender and time; a single one is only its text. */
export function copiedText(messages: readonly Copied[]): string {
  if (messages.length === 1) return messages.map(textOf).join('');
  return messages
    .map(
      (message) =>
        `${t('{name}, {time}', { name: shownName(message.sender), time: fullTime(message.created_at) })}\n${textOf(message)}`,
    )
    .join('\n\n');
}
