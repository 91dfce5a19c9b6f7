import type { OperationName } from './index.ts';

/**
 * What a limited session may do (TOKEN-6): read and write in the conversations that its account is in, and end itself. A
 * new operation is not allowed unless it is added here.
 */
const allowed: ReadonlySet<OperationName> = new Set([
  'getServerInfo',
  'signOut',
  'getMe',
  'getUser',
  'getUsers',
  'getPresence',
  'blockUser',
  'unblockUser',
  'getBlockedUsers',
  'getPrivacy',
  'setPrivacy',
  'exportMyData',

  'getChats',
  'getFolders',
  'getChat',
  'getMembers',
  'getGroupAgents',
  'getBotCommands',
  'leaveChat',
  'setChatNotifications',
  'getReadPosition',
  'getMessageReaders',
  'getUnreadMentions',
  'markRead',

  'sendMessage',
  'getChatHistory',
  'getChatMedia',
  'getMessages',
  'searchMessages',
  'editMessage',
  'removeLinkPreview',
  'deleteMessages',
  'deleteMessagesForMe',
  'setMessageReaction',
  'votePoll',
  'closePoll',
  'getPollVotes',
  'getPollVoters',
  'sendChatAction',
  'saveDraft',
  'getDrafts',
  'getEmoji',
  'uploadFile',

  'previewDispatch',
  'stopRun',
  'retryReply',
  'chooseVersion',
  'continueReply',
  'queryInline',
  'sendComponentAction',

  'getUpdates',
  'wsFocus',
]);

export const isForLimited = (name: OperationName): boolean => allowed.has(name);
