// People's own accounts: profile, password, deletion, export, and blocks.
import blockUser from './blockUser.ts';
import changePassword from './changePassword.ts';
import deleteAccount from './deleteAccount.ts';
import exportMyData from './exportMyData.ts';
import getBlockedUsers from './getBlockedUsers.ts';
import unblockUser from './unblockUser.ts';
import updateProfile from './updateProfile.ts';

export const peopleHandlers = {
  blockUser,
  changePassword,
  deleteAccount,
  exportMyData,
  getBlockedUsers,
  unblockUser,
  updateProfile,
};
