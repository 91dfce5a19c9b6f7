import type { UnitCall } from '../commits/unit-call.ts';
import { type Avatar, setAvatar } from '../files/avatars.ts';
import { type AccountRow, searchName, setAvatarUrl, setBio, setDisplayName } from '../store/accounts.ts';

export interface ProfileChange {
  displayName?: string | undefined;
  /** Null or empty text removes it. */
  bio?: string | null | undefined;
  /** Null removes it. */
  avatar?: Avatar | null | undefined;
}

/** Stores what was given of an account's profile. Returns whether anything changed, so that the caller can announce it. */
export async function changeProfile(call: UnitCall, account: AccountRow, change: ProfileChange): Promise<boolean> {
  const { tx } = call;
  const { displayName, avatar } = change;
  const bio = change.bio === '' ? null : change.bio;
  const hasNewName = displayName !== undefined && displayName !== account.display_name;
  if (hasNewName) await tx.run(setDisplayName, account.key, displayName, searchName(displayName));
  const hasNewBio = bio !== undefined && bio !== account.bio;
  if (hasNewBio) await tx.run(setBio, account.key, bio);
  const hasNewAvatar = avatar !== undefined && (avatar !== null || account.avatar_url !== null);
  if (hasNewAvatar) await tx.run(setAvatarUrl, account.key, await setAvatar(call, account.key, avatar));
  return hasNewName || hasNewBio || hasNewAvatar;
}
