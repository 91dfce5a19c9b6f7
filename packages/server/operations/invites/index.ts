// Invites: links with which people join a group by themselves.
import createInvite from './createInvite.ts';
import getInvite from './getInvite.ts';
import getInvites from './getInvites.ts';
import joinChat from './joinChat.ts';
import revokeInvite from './revokeInvite.ts';

export const inviteHandlers = { createInvite, getInvite, getInvites, joinChat, revokeInvite };
