// One file per operation, named as in the URL, in folders by resource. A missing handler is a compile error.
import getAudit from './audit/getAudit.ts';
import getReports from './reports/getReports.ts';
import reportMessage from './reports/reportMessage.ts';
import resolveReport from './reports/resolveReport.ts';
import type { OperationName } from '@parley/protocol';
import type { Handler } from './handler.ts';
import getMe from './accounts/getMe.ts';
import getSessions from './accounts/getSessions.ts';
import getUser from './accounts/getUser.ts';
import getUsers from './accounts/getUsers.ts';
import exchangeSignIn from './accounts/exchangeSignIn.ts';
import signIn from './accounts/signIn.ts';
import signOut from './accounts/signOut.ts';
import approveAccount from './administration/approveAccount.ts';
import createServiceInvite from './administration/createServiceInvite.ts';
import createAccessToken from './access-tokens/createAccessToken.ts';
import getAccessTokens from './access-tokens/getAccessTokens.ts';
import confirmSecondFactor from './second-factor/confirmSecondFactor.ts';
import createRecoveryCodes from './second-factor/createRecoveryCodes.ts';
import getSecondFactor from './second-factor/getSecondFactor.ts';
import removeSecondFactor from './second-factor/removeSecondFactor.ts';
import resetSecondFactor from './second-factor/resetSecondFactor.ts';
import startSecondFactor from './second-factor/startSecondFactor.ts';
import revokeAccessToken from './access-tokens/revokeAccessToken.ts';
import endSessions from './administration/endSessions.ts';
import getAccounts from './administration/getAccounts.ts';
import getServiceInvites from './administration/getServiceInvites.ts';
import getServiceOverview from './administration/getServiceOverview.ts';
import getServiceSettings from './administration/getServiceSettings.ts';
import resetPassword from './administration/resetPassword.ts';
import revokeServiceInvite from './administration/revokeServiceInvite.ts';
import setAccountDisabled from './administration/setAccountDisabled.ts';
import setAccountRole from './administration/setAccountRole.ts';
import setPasswordByLink from './administration/setPasswordByLink.ts';
import setServiceSettings from './administration/setServiceSettings.ts';
import signUp from './accounts/signUp.ts';
import terminateOtherSessions from './accounts/terminateOtherSessions.ts';
import terminateSession from './accounts/terminateSession.ts';
import addGroupAgent from './agents/addGroupAgent.ts';
import createAgent from './agents/createAgent.ts';
import createBot from './agents/createBot.ts';
import deleteAgent from './agents/deleteAgent.ts';
import deleteBot from './agents/deleteBot.ts';
import dismissAgent from './agents/dismissAgent.ts';
import getAgent from './agents/getAgent.ts';
import getBotCommands from './agents/getBotCommands.ts';
import getGroupAgents from './agents/getGroupAgents.ts';
import getModels from './agents/getModels.ts';
import getMyAgents from './agents/getMyAgents.ts';
import previewDispatch from './agents/previewDispatch.ts';
import removeAgentKey from './agents/removeAgentKey.ts';
import removeGroupAgent from './agents/removeGroupAgent.ts';
import rotateBotToken from './agents/rotateBotToken.ts';
import setAgentKey from './agents/setAgentKey.ts';
import setBotCommands from './agents/setBotCommands.ts';
import setGroupAgentMode from './agents/setGroupAgentMode.ts';
import updateAgent from './agents/updateAgent.ts';
import createUserToken from './backends/createUserToken.ts';
import deleteUser from './backends/deleteUser.ts';
import exchangeUserToken from './backends/exchangeUserToken.ts';
import getMyBotConfig from './bot-config/getMyBotConfig.ts';
import getRunConfig from './bot-config/getRunConfig.ts';
import setBotConfig from './bot-config/setBotConfig.ts';
import setMyBotConfig from './bot-config/setMyBotConfig.ts';
import addMembers from './conversations/addMembers.ts';
import browseChats from './conversations/browseChats.ts';
import clearChat from './conversations/clearChat.ts';
import createChannel from './conversations/createChannel.ts';
import deleteChannel from './conversations/deleteChannel.ts';
import deleteChat from './conversations/deleteChat.ts';
import getChat from './conversations/getChat.ts';
import getChats from './conversations/getChats.ts';
import getFolders from './conversations/getFolders.ts';
import getMembers from './conversations/getMembers.ts';
import getReadPosition from './conversations/getReadPosition.ts';
import leaveChat from './conversations/leaveChat.ts';
import markRead from './conversations/markRead.ts';
import orderPinnedChats from './conversations/orderPinnedChats.ts';
import removeMember from './conversations/removeMember.ts';
import searchChats from './conversations/searchChats.ts';
import setChatAvatar from './conversations/setChatAvatar.ts';
import setChatDescription from './conversations/setChatDescription.ts';
import setChatPosting from './conversations/setChatPosting.ts';
import setChatVisibility from './conversations/setChatVisibility.ts';
import setDefaultChats from './conversations/setDefaultChats.ts';
import createUserGroup from './user-groups/createUserGroup.ts';
import deleteUserGroup from './user-groups/deleteUserGroup.ts';
import getUserGroups from './user-groups/getUserGroups.ts';
import updateUserGroup from './user-groups/updateUserGroup.ts';
import setChatNotifications from './conversations/setChatNotifications.ts';
import setChatState from './conversations/setChatState.ts';
import setChatTitle from './conversations/setChatTitle.ts';
import setFolders from './conversations/setFolders.ts';
import setMemberRole from './conversations/setMemberRole.ts';
import startChat from './conversations/startChat.ts';
import askDecision from './decisions/askDecision.ts';
import decide from './decisions/decide.ts';
import getDecisions from './decisions/getDecisions.ts';
import withdrawDecision from './decisions/withdrawDecision.ts';
import getDrafts from './drafts/getDrafts.ts';
import saveDraft from './drafts/saveDraft.ts';
import createEmoji from './emoji/createEmoji.ts';
import deleteEmoji from './emoji/deleteEmoji.ts';
import getEmoji from './emoji/getEmoji.ts';
import uploadFile from './files/uploadFile.ts';
import getInbox from './inbox/getInbox.ts';
import setInboxDone from './inbox/setInboxDone.ts';
import getServerInfo from './instance/getServerInfo.ts';
import answerInlineQuery from './interactions/answerInlineQuery.ts';
import pushAlert from './interactions/pushAlert.ts';
import queryInline from './interactions/queryInline.ts';
import sendComponentAction from './interactions/sendComponentAction.ts';
import createInvite from './invites/createInvite.ts';
import getInvite from './invites/getInvite.ts';
import getInvites from './invites/getInvites.ts';
import joinChat from './invites/joinChat.ts';
import revokeInvite from './invites/revokeInvite.ts';
import deleteMessages from './messages/deleteMessages.ts';
import deleteMessagesForMe from './messages/deleteMessagesForMe.ts';
import editMessage from './messages/editMessage.ts';
import forwardMessages from './messages/forwardMessages.ts';
import getChatHistory from './messages/getChatHistory.ts';
import getChatMedia from './messages/getChatMedia.ts';
import getMessageReaders from './messages/getMessageReaders.ts';
import getMessages from './messages/getMessages.ts';
import getUnreadMentions from './messages/getUnreadMentions.ts';
import pinMessage from './messages/pinMessage.ts';
import removeLinkPreview from './messages/removeLinkPreview.ts';
import searchMessages from './messages/searchMessages.ts';
import sendChatAction from './messages/sendChatAction.ts';
import sendMessage from './messages/sendMessage.ts';
import setMessageReaction from './messages/setMessageReaction.ts';
import transcribeMessage from './messages/transcribeMessage.ts';
import unpinMessage from './messages/unpinMessage.ts';
import getNotificationPrefs from './notifications/getNotificationPrefs.ts';
import registerPushToken from './notifications/registerPushToken.ts';
import setDeviceNotificationPrefs from './notifications/setDeviceNotificationPrefs.ts';
import setNotificationPrefs from './notifications/setNotificationPrefs.ts';
import unregisterPushToken from './notifications/unregisterPushToken.ts';
import blockUser from './people/blockUser.ts';
import changePassword from './people/changePassword.ts';
import deleteAccount from './people/deleteAccount.ts';
import exportMyData from './people/exportMyData.ts';
import getBlockedUsers from './people/getBlockedUsers.ts';
import getPrivacy from './people/getPrivacy.ts';
import setPrivacy from './people/setPrivacy.ts';
import setStatus from './people/setStatus.ts';
import getPresence from './people/getPresence.ts';
import unblockUser from './people/unblockUser.ts';
import updateProfile from './people/updateProfile.ts';
import closePoll from './polls/closePoll.ts';
import getPollVoters from './polls/getPollVoters.ts';
import getPollVotes from './polls/getPollVotes.ts';
import votePoll from './polls/votePoll.ts';
import getProgramRequest from './programs/getProgramRequest.ts';
import grantProgram from './programs/grantProgram.ts';
import issueProgramTokens from './programs/issueProgramTokens.ts';
import cancelReminder from './scheduled/cancelReminder.ts';
import cancelScheduledMessage from './scheduled/cancelScheduledMessage.ts';
import createSchedule from './scheduled/createSchedule.ts';
import deleteSchedule from './scheduled/deleteSchedule.ts';
import getSchedules from './scheduled/getSchedules.ts';
import pauseSchedule from './scheduled/pauseSchedule.ts';
import previewSchedule from './scheduled/previewSchedule.ts';
import runSchedule from './scheduled/runSchedule.ts';
import editScheduledMessage from './scheduled/editScheduledMessage.ts';
import getReminders from './scheduled/getReminders.ts';
import getScheduledMessages from './scheduled/getScheduledMessages.ts';
import remindMe from './scheduled/remindMe.ts';
import scheduleMessage from './scheduled/scheduleMessage.ts';
import sendScheduledMessage from './scheduled/sendScheduledMessage.ts';
import appendMessageStream from './streams/appendMessageStream.ts';
import chooseVersion from './streams/chooseVersion.ts';
import continueReply from './streams/continueReply.ts';
import finishMessageStream from './streams/finishMessageStream.ts';
import getOpenStreams from './streams/getOpenStreams.ts';
import retryReply from './streams/retryReply.ts';
import startMessageStream from './streams/startMessageStream.ts';
import stopRun from './streams/stopRun.ts';
import getToolServers from './tools/getToolServers.ts';
import getToolCalls from './tools/getToolCalls.ts';
import getToolGrants from './tools/getToolGrants.ts';
import removeToolCredential from './tools/removeToolCredential.ts';
import revokeToolGrant from './tools/revokeToolGrant.ts';
import createNote from './notes/createNote.ts';
import deleteNote from './notes/deleteNote.ts';
import getNotes from './notes/getNotes.ts';
import updateNote from './notes/updateNote.ts';
import addAgentSource from './sources/addAgentSource.ts';
import getAgentSources from './sources/getAgentSources.ts';
import readAgentSource from './sources/readAgentSource.ts';
import removeAgentSource from './sources/removeAgentSource.ts';
import setAgentSource from './sources/setAgentSource.ts';
import setAgentTools from './tools/setAgentTools.ts';
import setToolCredential from './tools/setToolCredential.ts';
import shareToolCall from './tools/shareToolCall.ts';
import startToolLogin from './tools/startToolLogin.ts';
import getUpdates from './updates/getUpdates.ts';
import wsFocus from './updates/wsFocus.ts';
import getReplyPrices from './usage/getReplyPrices.ts';
import getUsage from './usage/getUsage.ts';
import createWebhook from './webhooks/createWebhook.ts';
import createWebhookSubscription from './webhooks/createWebhookSubscription.ts';
import deleteWebhook from './webhooks/deleteWebhook.ts';
import deleteWebhookSubscription from './webhooks/deleteWebhookSubscription.ts';
import getWebhooks from './webhooks/getWebhooks.ts';
import getWebhookSubscriptions from './webhooks/getWebhookSubscriptions.ts';
import replayWebhook from './webhooks/replayWebhook.ts';

export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
  getMe,
  getSessions,
  getUser,
  getUsers,
  exchangeSignIn,
  signIn,
  signOut,
  approveAccount,
  createServiceInvite,
  createAccessToken,
  getAccessTokens,
  revokeAccessToken,
  getSecondFactor,
  startSecondFactor,
  confirmSecondFactor,
  createRecoveryCodes,
  removeSecondFactor,
  resetSecondFactor,
  getProgramRequest,
  grantProgram,
  issueProgramTokens,
  endSessions,
  getAccounts,
  getServiceInvites,
  getServiceOverview,
  getServiceSettings,
  resetPassword,
  revokeServiceInvite,
  setAccountDisabled,
  setAccountRole,
  setPasswordByLink,
  setServiceSettings,
  signUp,
  terminateOtherSessions,
  terminateSession,
  addGroupAgent,
  createAgent,
  createBot,
  deleteAgent,
  deleteBot,
  dismissAgent,
  getAgent,
  getBotCommands,
  getGroupAgents,
  getModels,
  getMyAgents,
  previewDispatch,
  removeAgentKey,
  removeGroupAgent,
  rotateBotToken,
  setAgentKey,
  setBotCommands,
  setGroupAgentMode,
  updateAgent,
  createUserToken,
  deleteUser,
  exchangeUserToken,
  getMyBotConfig,
  getRunConfig,
  setBotConfig,
  setMyBotConfig,
  addMembers,
  clearChat,
  createChannel,
  deleteChannel,
  deleteChat,
  getChat,
  getChats,
  getFolders,
  getMembers,
  getReadPosition,
  leaveChat,
  markRead,
  orderPinnedChats,
  removeMember,
  searchChats,
  setChatAvatar,
  setChatDescription,
  setChatPosting,
  setChatVisibility,
  setDefaultChats,
  browseChats,
  createUserGroup,
  deleteUserGroup,
  getUserGroups,
  updateUserGroup,
  setChatNotifications,
  setChatState,
  setChatTitle,
  setFolders,
  setMemberRole,
  startChat,
  getDrafts,
  saveDraft,
  createEmoji,
  deleteEmoji,
  getEmoji,
  uploadFile,
  getInbox,
  setInboxDone,
  getServerInfo,
  answerInlineQuery,
  pushAlert,
  queryInline,
  sendComponentAction,
  createInvite,
  getInvite,
  getInvites,
  joinChat,
  revokeInvite,
  deleteMessages,
  deleteMessagesForMe,
  editMessage,
  forwardMessages,
  getChatHistory,
  getChatMedia,
  getMessageReaders,
  getMessages,
  getUnreadMentions,
  pinMessage,
  removeLinkPreview,
  searchMessages,
  sendChatAction,
  sendMessage,
  setMessageReaction,
  transcribeMessage,
  unpinMessage,
  getNotificationPrefs,
  registerPushToken,
  setDeviceNotificationPrefs,
  setNotificationPrefs,
  unregisterPushToken,
  blockUser,
  changePassword,
  deleteAccount,
  exportMyData,
  getBlockedUsers,
  getPrivacy,
  setPrivacy,
  setStatus,
  getPresence,
  unblockUser,
  updateProfile,
  closePoll,
  askDecision,
  decide,
  withdrawDecision,
  getDecisions,
  getPollVoters,
  getPollVotes,
  votePoll,
  cancelReminder,
  cancelScheduledMessage,
  editScheduledMessage,
  getReminders,
  getScheduledMessages,
  remindMe,
  createSchedule,
  deleteSchedule,
  getSchedules,
  pauseSchedule,
  previewSchedule,
  runSchedule,
  scheduleMessage,
  sendScheduledMessage,
  appendMessageStream,
  chooseVersion,
  continueReply,
  finishMessageStream,
  getOpenStreams,
  retryReply,
  startMessageStream,
  stopRun,
  getUpdates,
  wsFocus,
  getReplyPrices,
  getUsage,
  createWebhook,
  createWebhookSubscription,
  deleteWebhook,
  deleteWebhookSubscription,
  getWebhooks,
  getWebhookSubscriptions,
  replayWebhook,
  getToolServers,
  getToolCalls,
  getToolGrants,
  removeToolCredential,
  revokeToolGrant,
  getNotes,
  createNote,
  updateNote,
  deleteNote,
  getAgentSources,
  addAgentSource,
  setAgentSource,
  readAgentSource,
  removeAgentSource,
  setAgentTools,
  setToolCredential,
  shareToolCall,
  startToolLogin,
  getAudit,
  getReports,
  reportMessage,
  resolveReport,
};
