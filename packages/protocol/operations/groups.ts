import { accountOperations } from './accounts.ts';
import { agentOperations } from './agents.ts';
import { botConfigOperations } from './bot-config.ts';
import { conversationOperations } from './conversations.ts';
import { draftOperations } from './drafts.ts';
import type { OperationName } from './index.ts';
import { interactionOperations } from './interactions.ts';
import { messageOperations } from './messages.ts';
import { notificationOperations } from './notifications.ts';
import { updateOperations } from './updates.ts';

export interface OperationGroup {
  title: string;
  names: readonly OperationName[];
}

const group = (title: string, operations: Partial<Record<OperationName, unknown>>): OperationGroup => ({
  title,
  names: Object.keys(operations) as OperationName[], // its keys, by its type
});

/** The order in which a reader meets the operations. */
export const operationGroups: readonly OperationGroup[] = [
  group('Accounts and sessions', accountOperations),
  group('Conversations', conversationOperations),
  group('Messages', messageOperations),
  group('Input drafts', draftOperations),
  group('Agents and bots', agentOperations),
  group('Alerts, inline queries, components', interactionOperations),
  group('Agent settings', botConfigOperations),
  group('Notifications', notificationOperations),
  group('Updates and the service', updateOperations),
];
