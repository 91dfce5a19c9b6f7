// Where the service sends events to the user's own programs. May import: settings/account and the rooms below settings.
import type { Params } from '@parley/protocol';
import { t } from '../../words/t.ts';

type WebhookEvent = Params<'createWebhookSubscription'>['events'][number];

interface EventKind {
  readonly label: string;
  readonly events: readonly WebhookEvent[];
}

/** The events that a subscription can have, by what they are about. */
export const eventKinds: readonly EventKind[] = [
  { label: t('New messages'), events: ['messageNew', 'messageComplete'] },
  {
    label: t('Changes to messages'),
    events: ['messageUpdated', 'messageDeleted', 'messagePinned', 'versionsChanged', 'decisionUpdated'],
  },
  { label: t('Reactions and votes'), events: ['reactionAdded', 'reactionRemoved', 'pollVoted'] },
  { label: t('Conversations and members'), events: ['conversationNew', 'conversationUpdated', 'conversationRemoved'] },
  { label: t('Your account, inbox and alerts'), events: ['accountUpdated', 'inboxUpdated', 'alert'] },
];

/** The kinds of which a subscription has some events. */
export const kindsOf = (events: readonly string[]): string[] =>
  eventKinds.filter((kind) => kind.events.some((event) => events.includes(event))).map(({ label }) => label);
