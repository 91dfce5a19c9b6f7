// What people do with their own accounts, and whom they do not want to hear from.
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
