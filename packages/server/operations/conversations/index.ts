// Conversations: direct chats, groups with their members and channels, and each account's read markers and mutes.
import addMembers from './addMembers.ts';
import createChannel from './createChannel.ts';
import deleteChannel from './deleteChannel.ts';
import deleteChat from './deleteChat.ts';
import getChat from './getChat.ts';
import getChats from './getChats.ts';
import getMembers from './getMembers.ts';
import leaveChat from './leaveChat.ts';
import markRead from './markRead.ts';
import removeMember from './removeMember.ts';
import searchChats from './searchChats.ts';
import setChatDescription from './setChatDescription.ts';
import setChatNotifications from './setChatNotifications.ts';
import setChatTitle from './setChatTitle.ts';
import setMemberRole from './setMemberRole.ts';
import startChat from './startChat.ts';

export const conversationHandlers = {
  addMembers,
  createChannel,
  deleteChannel,
  deleteChat,
  getChat,
  getChats,
  getMembers,
  leaveChat,
  markRead,
  removeMember,
  searchChats,
  setChatDescription,
  setChatNotifications,
  setChatTitle,
  setMemberRole,
  startChat,
};
