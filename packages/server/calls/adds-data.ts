import type { Input, OperationName } from '@parley/protocol';
import { type Handler, isRated } from '../operations/handler.ts';

type Test<Name extends OperationName> = (input: Input<Name>) => boolean;

/** Calls that are allowed while the disk is full: they end, remove or read something, or sign in. */
const goesOn: { readonly [Name in OperationName]?: true | Test<Name> } = {
  signIn: true,
  signOut: true,
  terminateSession: true,
  terminateOtherSessions: true,
  changePassword: true,
  deleteAccount: true,
  deleteUser: true,
  // Allowed because blocking immediately stops the use of the caller's key.
  blockUser: true,
  unblockUser: true,
  // Allowed because it immediately stops what others learn.
  setPrivacy: true,
  setStatus: ({ emoji = '', text = '' }) => emoji === '' && text.trim() === '',
  deleteEmoji: true,
  deleteMessages: true,
  deleteMessagesForMe: true,
  clearChat: true,
  markRead: true,
  setInboxDone: true,
  unpinMessage: true,
  setMessageReaction: ({ remove }) => remove === true,
  votePoll: ({ options }) => options.length === 0,
  closePoll: true,
  removeLinkPreview: true,
  saveDraft: ({ text }) => text.trim() === '',
  cancelScheduledMessage: true,
  cancelReminder: true,
  stopRun: true,
  leaveChat: true,
  removeMember: true,
  deleteChannel: true,
  deleteChat: true,
  revokeInvite: true,
  deleteWebhook: true,
  deleteWebhookSubscription: true,
  removeGroupAgent: true,
  removeAgentKey: true,
  deleteBot: true,
  // Allowed if it changes only the key policy and budgets; everything else that it sets is text.
  setBotConfig: ({ config, secrets, show_on_profile }) => !config && !secrets && !show_on_profile,
  rotateBotToken: true,
  unregisterPushToken: true,
  finishMessageStream: ({ text, attachments = [] }) => text === undefined && attachments.length === 0,
  // These store nothing.
  sendChatAction: true,
  queryInline: true,
  answerInlineQuery: true,
  wsFocus: true,
};

/** Whether a call adds data. A new write operation does, unless it is listed above. */
export function addsData(name: OperationName, handler: Handler, input: object): boolean {
  if (!isRated(handler)) return false;
  const rule: true | ((input: never) => boolean) | undefined = goesOn[name];
  // A rule receives the input that its operation's declaration has parsed.
  return typeof rule === 'function' ? !rule(input as never) : rule === undefined;
}
