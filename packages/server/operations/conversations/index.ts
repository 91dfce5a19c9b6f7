// Conversations: direct chats, groups with their members and channels, and what each account keeps about them: read
// markers, mutes, pins of its list, folders.
import addMembers from './addMembers.ts';
import clearChat from './clearChat.ts';
import createChannel from './createChannel.ts';
import deleteChannel from './deleteChannel.ts';
import deleteChat from './deleteChat.ts';
import getChat from './getChat.ts';
import getChats from './getChats.ts';
import getFolders from './getFolders.ts';
import getMembers from './getMembers.ts';
import getReadPosition from './getReadPosition.ts';
import leaveChat from './leaveChat.ts';
import markRead from './markRead.ts';
import orderPinnedChats from './orderPinnedChats.ts';
import removeMember from './removeMember.ts';
import searchChats from './searchChats.ts';
import setChatAvatar from './setChatAvatar.ts';
import setChatDescription from './setChatDescription.ts';
import setChatNotifications from './setChatNotifications.ts';
import setChatState from './setChatState.ts';
import setChatTitle from './setChatTitle.ts';
import setFolders from './setFolders.ts';
import setMemberRole from './setMemberRole.ts';
import startChat from './startChat.ts';

export const conversationHandlers = {
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
  setChatNotifications,
  setChatState,
  setChatTitle,
  setFolders,
  setMemberRole,
  startChat,
};
