// Written by closed-to-guests.test.ts from the declarations (npx vitest run --project service packages/protocol -u), so
// that a page which asks this does not load them.
import type { OperationName } from './operations/index.ts';

const closed: ReadonlySet<OperationName> = new Set([
  'getUsers',
  'resetSecondFactor',
  'getAccounts',
  'setAccountRole',
  'setAccountDisabled',
  'endSessions',
  'resetPassword',
  'approveAccount',
  'getServiceSettings',
  'setServiceSettings',
  'getServiceOverview',
  'createServiceInvite',
  'addMembers',
  'browseChats',
  'setDefaultChats',
  'createInvite',
  'createEmoji',
  'setAgentKey',
  'addGroupAgent',
  'createBot',
  'setBotCommands',
  'startMessageStream',
  'createAgent',
  'updateAgent',
  'getModels',
  'pushAlert',
  'answerInlineQuery',
  'setBotConfig',
  'getRunConfig',
  'createWebhook',
  'createWebhookSubscription',
  'replayWebhook',
  'setAgentTools',
  'createUserGroup',
  'updateUserGroup',
  'deleteUserGroup',
  'getUserGroups',
  'getAudit',
  'getReports',
  'resolveReport',
]);

/** Whether a guest may call an operation (ROLE-2). */
export const isForGuests = (name: OperationName): boolean => !closed.has(name);
