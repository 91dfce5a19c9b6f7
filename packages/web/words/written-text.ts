import type { Message } from '@parley/protocol';
import { t } from './t.ts';

/** The text of a message as the app shows it: a reminder, which the service has written, is in the app's language. */
export const writtenText = ({ content, reminder_of }: Pick<Message, 'content' | 'reminder_of'>): string =>
  reminder_of?.sender === undefined
    ? content
    : // In code a username is no mention.
      t('You asked to be reminded of a message from {name}.', { name: `\`${reminder_of.sender}\`` });
