import { accountOperations } from './accounts.ts';
import { agentOperations } from './agents.ts';
import { backendOperations } from './backends.ts';
import { botConfigOperations } from './bot-config.ts';
import { conversationOperations } from './conversations.ts';
import { customAgentOperations } from './custom-agents.ts';
import { draftOperations } from './drafts.ts';
import { emojiOperations } from './emoji.ts';
import { fileOperations } from './files.ts';
import { inboxOperations } from './inbox.ts';
import type { OperationName } from './index.ts';
import { interactionOperations } from './interactions.ts';
import { inviteOperations } from './invites.ts';
import { messageOperations } from './messages.ts';
import { notificationOperations } from './notifications.ts';
import { peopleOperations } from './people.ts';
import { pollOperations } from './polls.ts';
import { scheduledOperations } from './scheduled.ts';
import { updateOperations } from './updates.ts';
import { usageOperations } from './usage.ts';
import { webhookOperations } from './webhooks.ts';

export interface OperationGroup {
  title: string;
  names: readonly OperationName[];
}

const group = (title: string, operations: Partial<Record<OperationName, unknown>>): OperationGroup => ({
  title,
  names: Object.keys(operations) as OperationName[], // the parameter's type allows only names of operations as keys
});

/** The order in which the published documents list the operations. */
export const operationGroups: readonly OperationGroup[] = [
  group('Accounts and sessions', accountOperations),
  group('People', peopleOperations),
  group('Users of your own backend', backendOperations),
  group('Conversations', conversationOperations),
  group('Invites', inviteOperations),
  group('Webhooks', webhookOperations),
  group('Messages', messageOperations),
  group('Polls', pollOperations),
  group('Scheduled messages and reminders', scheduledOperations),
  group('Custom emoji', emojiOperations),
  group('Files', fileOperations),
  group('Input drafts', draftOperations),
  group('Inbox', inboxOperations),
  group('Agents and bots', agentOperations),
  group('Agents that people make', customAgentOperations),
  group('Alerts, inline queries, components', interactionOperations),
  group('Agent settings', botConfigOperations),
  group('Token usage of agents', usageOperations),
  group('Notifications', notificationOperations),
  group('Updates and the service', updateOperations),
];
