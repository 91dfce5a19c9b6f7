import { type OperationName, operationNames } from '@parley/protocol';
import { expect, test } from 'vitest';
import { adminUnits } from '../units/administration.ts';
import type { Handler } from './handler.ts';
import { handlers } from './index.ts';

/** The operations that change something and write no row of the audit, by the reason. */
const unaudited: Readonly<Record<string, readonly OperationName[]>> = {
  'what people say to each other stays with them': [
    'sendMessage',
    'editMessage',
    'removeLinkPreview',
    'transcribeMessage',
    'forwardMessages',
    'deleteMessages',
    'deleteMessagesForMe',
    'pinMessage',
    'unpinMessage',
    'setMessageReaction',
    'sendChatAction',
    'votePoll',
    'closePoll',
    'askDecision',
    'decide',
    'withdrawDecision',
    'scheduleMessage',
    'editScheduledMessage',
    'cancelScheduledMessage',
    'sendScheduledMessage',
    'createSchedule',
    'pauseSchedule',
    'runSchedule',
    'deleteSchedule',
    'uploadFile',
    'saveDraft',
    'pushAlert',
    'queryInline',
    'sendComponentAction',
    'shareToolCall',
  ],
  'a conversation is managed by its own owner and admins, who see it': [
    'startChat',
    'addMembers',
    'removeMember',
    'leaveChat',
    'setMemberRole',
    'setChatTitle',
    'deleteChat',
    'setChatDescription',
    'setChatAvatar',
    'createChannel',
    'deleteChannel',
    'createInvite',
    'revokeInvite',
    'joinChat',
    'createWebhook',
    'deleteWebhook',
    'addGroupAgent',
    'removeGroupAgent',
    'setGroupAgentMode',
  ],
  'what a person sees, keeps and shows of itself': [
    'updateProfile',
    'blockUser',
    'unblockUser',
    'setPrivacy',
    'setStatus',
    'setChatNotifications',
    'setChatState',
    'orderPinnedChats',
    'setFolders',
    'clearChat',
    'markRead',
    'remindMe',
    'cancelReminder',
    'createEmoji',
    'deleteEmoji',
    'setInboxDone',
    'setNotificationPrefs',
    'setDeviceNotificationPrefs',
    'registerPushToken',
    'unregisterPushToken',
    'revokeToolGrant',
    'createNote',
    'updateNote',
    'deleteNote',
    'addAgentSource',
    'setAgentSource',
    'readAgentSource',
    'removeAgentSource',
  ],
  'the grant of which it is the use is audited, and so is the end of a stolen one': ['issueProgramTokens'],
  'what an agent says and does; its tokens, keys and tools are audited': [
    'dismissAgent',
    'stopRun',
    'retryReply',
    'chooseVersion',
    'continueReply',
    'setBotCommands',
    'startMessageStream',
    'appendMessageStream',
    'finishMessageStream',
    'createAgent',
    'updateAgent',
    'deleteAgent',
    'getModels',
    'setMyBotConfig',
    'setBotConfig',
    'getToolServers',
  ],
  'the service of its own subscription, as a member of the conversation': [
    'createWebhookSubscription',
    'deleteWebhookSubscription',
    'replayWebhook',
  ],
  'it only begins a login at another service': ['startToolLogin'],
  'its secret counts for nothing before confirmSecondFactor, which has a row': ['startSecondFactor'],
  'its unit writes the row of a signIn, which names the issuer': ['exchangeSignIn'],
  'the users of a backend are managed by that backend, which keeps its own records': [
    'createUserToken',
    'exchangeUserToken',
    'deleteUser',
  ],
};

const isAudited = (name: OperationName): boolean => {
  const handler: Handler = handlers[name];
  return handler.kind === 'unit' && handler.handle.isAudited;
};
/** Whether an operation changes or reaches something. */
const isAct = (name: OperationName): boolean => {
  const handler: Handler = handlers[name];
  return handler.kind === 'unit' || handler.isWrite === true || handler.isRelay === true;
};

test('AUDIT-2: every operation that changes something declares its row of the audit, or is listed with the reason why not', () => {
  const listed = Object.values(unaudited).flat();
  expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([]);
  const acts = operationNames.filter(isAct);
  expect(acts.filter((name) => !isAudited(name)).toSorted()).toEqual(listed.toSorted());
});

test('AUDIT-2: every unit of the admin command writes the row of its command, but for those that only continue one', () => {
  const without = Object.entries(adminUnits).flatMap(([name, { isAudited: is }]) => (is ? [] : [name]));
  // `backends revoke` ends the sessions in further units, after the one that writes its row.
  // `house set` first makes the account for which its key is sealed, if there is none.
  expect(without).toEqual(['endBackendSessions', 'prepareHouseAgent']);
});
