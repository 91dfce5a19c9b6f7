// Accounts and their sessions: signing up, in and out, finding accounts.
import getMe from './getMe.ts';
import getSessions from './getSessions.ts';
import getUser from './getUser.ts';
import getUsers from './getUsers.ts';
import signIn from './signIn.ts';
import signOut from './signOut.ts';
import signUp from './signUp.ts';
import terminateOtherSessions from './terminateOtherSessions.ts';
import terminateSession from './terminateSession.ts';

export const accountHandlers = {
  getMe,
  getSessions,
  getUser,
  getUsers,
  signIn,
  signOut,
  signUp,
  terminateOtherSessions,
  terminateSession,
};
