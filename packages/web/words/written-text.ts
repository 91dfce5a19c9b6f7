import type { Message } from '@parley/protocol';
import { confirmationText } from './confirmation-text.ts';
import { askedByService, decisionText } from './decision-words.ts';
import { t } from './t.ts';

/** The finish reasons of a reply for which the service asked no provider: it writes such a reply itself, in English. */
const refusals: ReadonlySet<string | undefined> = new Set([
  'no_key',
  'token_cap',
  'group_token_cap',
  'asker_token_cap',
  'house_token_cap',
  'storage_full',
]);

type Written = Pick<
  Message,
  'content' | 'sender' | 'component_action' | 'decision' | 'reminder_of' | 'status' | 'finish_reason'
>;

/** Whether the service wrote the text of a reply to say why the agent did not answer. The app shows a note instead. */
export const isRefusal = ({ status, finish_reason }: Pick<Written, 'status' | 'finish_reason'>): boolean =>
  status === 'failed' && refusals.has(finish_reason);

/** The text of a message as the app shows it: the app words what the service wrote itself, and leaves out a refusal. */
export function writtenText(message: Written): string {
  const { content, sender, component_action, decision, reminder_of } = message;
  if (isRefusal(message)) return '';
  if (decision) return decisionText({ content, sender, decision });
  if (component_action) return confirmationText(content);
  return reminder_of?.sender === undefined
    ? content
    : // In code a username is no mention.
      t('You asked to be reminded of a message from {name}.', { name: `\`${reminder_of.sender}\`` });
}

/** Whether the app shows a message in its own words, of which the service's snippet has none. */
export const isWorded = (message: Written): boolean =>
  message.decision
    ? askedByService({ sender: message.sender, decision: message.decision }) !== undefined
    : writtenText(message) !== message.content;
