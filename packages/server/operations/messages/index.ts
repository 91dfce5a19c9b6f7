// Messages: sending, reading, editing, forwarding and deleting them; reactions, pins, typing, search.
import deleteMessages from './deleteMessages.ts';
import deleteMessagesForMe from './deleteMessagesForMe.ts';
import editMessage from './editMessage.ts';
import forwardMessages from './forwardMessages.ts';
import getChatHistory from './getChatHistory.ts';
import getChatMedia from './getChatMedia.ts';
import getMessageReaders from './getMessageReaders.ts';
import getMessages from './getMessages.ts';
import getUnreadMentions from './getUnreadMentions.ts';
import pinMessage from './pinMessage.ts';
import removeLinkPreview from './removeLinkPreview.ts';
import searchMessages from './searchMessages.ts';
import sendChatAction from './sendChatAction.ts';
import sendMessage from './sendMessage.ts';
import setMessageReaction from './setMessageReaction.ts';
import transcribeMessage from './transcribeMessage.ts';
import unpinMessage from './unpinMessage.ts';

export const messageHandlers = {
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
};
