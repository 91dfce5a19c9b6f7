// Avatars: small square images, served to anyone who knows their random names. Their URLs are not signed per reader:
// every message contains its sender's account, so signing would make every broadcast more expensive.
//
//   prepare: ({ caller }, input, { files }) => makeAvatar(files, caller, input.avatar_file_id)   // before the unit
//   handle:  (call, input, avatar) => { const url = await setAvatar(call, call.caller.key, avatar); … avatar_url = url }
import { randomBytes } from 'node:crypto';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid, notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import type { Files } from './files.ts';
import { type ChatRow, putGroupAvatar } from '../store/chats.ts';
import { avatarOf, avatarUrl, deleteAvatar, dropRemoval, insertAvatar, planRemoval } from '../store/files.ts';

const AVATAR_PX = 256;

type AvatarCall = Pick<UnitCall, 'tx' | 'now' | 'intend'>;

/** A stored image that no account or group uses yet. Without `setAvatar` or `setGroupAvatar` it is removed an hour later. */
export interface Avatar {
  name: string;
  /** In bytes. */
  size: number;
}

/**
 * Makes an avatar from a photo that the caller has uploaded: 404 for any other file, 400 if it is not a photo. This is
 * slow work that belongs before the unit (`prepare`).
 */
export async function makeAvatar(
  files: Pick<Files, 'find' | 'makeSquare'>,
  caller: { readonly key: number },
  fileId: string,
): Promise<Avatar> {
  const file = await files.find(idBytes(fileId), caller.key);
  if (!file || file.account_key !== caller.key) throw notFound('file');
  const name = randomBytes(16).toString('base64url');
  const size = file.kind === 'photo' ? await files.makeSquare(file, avatarBytesOf(name), AVATAR_PX) : null;
  if (size === null) throw invalid('avatar_file_id', 'is not the id of a photo');
  return { name, size };
}

/** The avatar of an `avatar_file_id`: undefined keeps the present one, null removes it. */
export async function givenAvatar(
  files: Pick<Files, 'find' | 'makeSquare'>,
  caller: { readonly key: number } | null,
  fileId: string | null | undefined,
): Promise<Avatar | null | undefined> {
  if (typeof fileId !== 'string') return fileId;
  return caller ? makeAvatar(files, caller, fileId) : undefined;
}

/**
 * Sets or removes an account's avatar, and removes the previous one after the commit. Returns the `avatar_url` that the
 * caller writes into the account's row (FILE-14).
 */
export async function setAvatar(call: AvatarCall, accountKey: number, avatar: Avatar | null): Promise<string | null> {
  const { tx } = call;
  const former = await tx.get(avatarOf, accountKey);
  if (former) await tx.run(deleteAvatar, accountKey);
  if (avatar) await tx.run(insertAvatar, accountKey, avatar.name, avatar.size);
  await replaceBytes(call, former?.name, avatar?.name);
  return avatar && avatarUrl(avatar.name);
}

/** Sets or removes a group's picture, and removes the previous one after the commit. Returns its address (GROUP-16). */
export async function setGroupAvatar(
  call: AvatarCall,
  chat: Pick<ChatRow, 'key' | 'avatar_name'>,
  avatar: Avatar | null,
): Promise<string | null> {
  await call.tx.run(putGroupAvatar, chat.key, avatar?.name ?? null, avatar?.size ?? null);
  await replaceBytes(call, chat.avatar_name ?? undefined, avatar?.name);
  return avatar && avatarUrl(avatar.name);
}

async function replaceBytes({ tx, now, intend }: AvatarCall, former?: string, name?: string): Promise<void> {
  if (former !== undefined) {
    await tx.run(planRemoval, avatarBytesOf(former), now);
    intend({ type: 'removeFiles' });
  }
  if (name !== undefined) await tx.run(dropRemoval, avatarBytesOf(name));
}

/** The name of an avatar's bytes in the storage. */
export const avatarBytesOf = (name: string): string => `avatar-${name}`;
/** The avatar whose bytes have this name; undefined if they belong to something else. */
export const avatarNameOf = (bytes: string): string | undefined => /^avatar-(.+)$/.exec(bytes)?.[1];
