import type { Message } from '@parley/protocol';
import { t } from './t.ts';

/** How a reply ends if its agent did not ask a provider: its text is the service's own, in English. */
const refusals: ReadonlySet<string | undefined> = new Set([
  'no_key',
  'token_cap',
  'group_token_cap',
  'asker_token_cap',
  'storage_full',
]);

type Written = Pick<Message, 'content' | 'reminder_of' | 'status' | 'finish_reason'>;

/** Whether the text of a reply says, in the service's words, why there is none; its note says it in the app's. */
export const isRefusal = ({ status, finish_reason }: Omit<Written, 'content'>): boolean =>
  status === 'failed' && refusals.has(finish_reason);

/** The text of a message as the app shows it: what the service has written is in the app's language, or left out. */
export function writtenText(message: Written): string {
  const { content, reminder_of } = message;
  if (isRefusal(message)) return '';
  return reminder_of?.sender === undefined
    ? content
    : // In code a username is no mention.
      t('You asked to be reminded of a message from {name}.', { name: `\`${reminder_of.sender}\`` });
}
