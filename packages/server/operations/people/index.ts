// People's own accounts: profile, password, deletion, export, privacy, and blocks.
import blockUser from './blockUser.ts';
import changePassword from './changePassword.ts';
import deleteAccount from './deleteAccount.ts';
import exportMyData from './exportMyData.ts';
import getBlockedUsers from './getBlockedUsers.ts';
import getPrivacy from './getPrivacy.ts';
import setPrivacy from './setPrivacy.ts';
import setStatus from './setStatus.ts';
import getPresence from './getPresence.ts';
import unblockUser from './unblockUser.ts';
import updateProfile from './updateProfile.ts';

export const peopleHandlers = {
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
};
