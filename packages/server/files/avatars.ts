// Avatars: small square images that are served to anybody who knows their random names. An account stands in each of
// its messages, so that an address signed for each reader would cost every fan-out.
//
//   prepare: (service, input, caller) => makeAvatar(service, caller, input.avatar_file_id)   // before the unit
//   handle:  (call, input, avatar) => { const url = await setAvatar(call, call.caller.key, avatar); … avatar_url = url }
import { randomBytes } from 'node:crypto';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid, notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import type { Service } from '../service/service.ts';
import { avatarOf, deleteAvatar, dropRemoval, insertAvatar, planRemoval } from '../store/files.ts';

const AVATAR_PX = 256;

/** An image that is stored, and that no account has yet: without `setAvatar` it is removed an hour later. */
export interface Avatar {
  name: string;
  /** In bytes. */
  size: number;
}

/**
 * Makes the avatar of a photo that the caller has uploaded: 404 for any other file, 400 for one that is no photo. Slow
 * work that belongs before the unit (`prepare`).
 */
export async function makeAvatar(
  { files }: Pick<Service, 'files'>,
  caller: { readonly key: number },
  fileId: string,
): Promise<Avatar> {
  const file = await files.find(idBytes(fileId), caller.key);
  if (!file || file.account_key !== caller.key) throw notFound('file');
  const name = randomBytes(16).toString('base64url');
  const size = file.kind === 'photo' ? await files.makeSquare(file, avatarBytesOf(name), AVATAR_PX) : null;
  if (size === null) throw invalid('avatar_file_id', 'names no photo');
  return { name, size };
}

/**
 * Gives an account this avatar, or none, and removes the one before behind the commit. Answers its `avatar_url`, which
 * the caller writes into the account's row (FILE-14).
 */
export async function setAvatar(
  { tx, now, intend }: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  accountKey: number,
  avatar: Avatar | null,
): Promise<string | null> {
  const former = await tx.get(avatarOf, accountKey);
  if (former) {
    await tx.run(deleteAvatar, accountKey);
    await tx.run(planRemoval, avatarBytesOf(former.name), now);
    intend({ type: 'removeFiles' });
  }
  if (!avatar) return null;
  await tx.run(insertAvatar, accountKey, avatar.name, avatar.size);
  await tx.run(dropRemoval, avatarBytesOf(avatar.name));
  return `/avatars/${avatar.name}.webp`;
}

/** The name of its bytes in the storage. */
export const avatarBytesOf = (name: string): string => `avatar-${name}`;
/** The avatar whose bytes have this name; undefined for the names of all others. */
export const avatarNameOf = (bytes: string): string | undefined => /^avatar-(.+)$/.exec(bytes)?.[1];
