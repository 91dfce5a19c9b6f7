// The pictures of custom emoji: copies of uploaded photos, served to anyone who knows their random names, like avatars.
import { randomBytes } from 'node:crypto';
import { type CustomEmoji, limits } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid, notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import { type EmojiRow, removeEmoji } from '../store/emoji.ts';
import { planRemoval } from '../store/files.ts';
import type { Files } from './files.ts';

const types: ReadonlySet<string> = new Set(['image/png', 'image/gif', 'image/webp', 'image/jpeg']);

/** A stored picture that no emoji uses yet. It is removed an hour later, unless `createEmoji` inserts its row. */
export type Picture = Pick<EmojiRow, 'picture' | 'mime_type' | 'size'>;

/** Copies a photo that the caller has uploaded: 404 for any other file, 400 if it cannot be an emoji. */
export async function makePicture(
  files: Pick<Files, 'find' | 'copy'>,
  caller: { readonly key: number },
  fileId: string,
): Promise<Picture> {
  const file = await files.find(idBytes(fileId), caller.key);
  if (!file || file.account_key !== caller.key) throw notFound('file');
  const { kind, mime_type, size, width, height } = file;
  const { customEmojiBytes: mostBytes, customEmojiPixels: mostPixels } = limits;
  if (kind !== 'photo' || !types.has(mime_type)) throw invalid('file_id', 'is not a PNG, GIF, WebP or JPEG');
  if (size > mostBytes) throw invalid('file_id', `has more than ${mostBytes} bytes`);
  if (Math.max(width ?? 0, height ?? 0) > mostPixels)
    throw invalid('file_id', `is wider or higher than ${mostPixels} pixels`);
  const picture = randomBytes(16).toString('base64url');
  if (!(await files.copy(file, pictureBytesOf(picture)))) throw notFound('file');
  return { picture, mime_type, size };
}

/** Deletes an emoji, and its picture after the commit. */
export async function dropEmoji(call: UnitCall, { name, picture }: EmojiRow): Promise<void> {
  await call.tx.run(removeEmoji, name);
  await call.tx.run(planRemoval, pictureBytesOf(picture), call.now);
  call.intend({ type: 'removeFiles' });
}

/** The wire CustomEmoji as an account reads it. Who made it is not disclosed: names may be private (ACCT-8). */
export const emojiRecord = ({ name, picture, account_key, created_at }: EmojiRow, readerKey: number): CustomEmoji => ({
  name,
  url: `/emoji/${picture}`,
  ...(account_key === readerKey && { is_own: true as const }),
  created_at: new Date(created_at).toISOString(),
});

/** The name of a picture's bytes in the storage. */
export const pictureBytesOf = (picture: string): string => `emoji-${picture}`;
/** The picture whose bytes have this name; undefined if they belong to something else. */
export const pictureNameOf = (bytes: string): string | undefined => /^emoji-(.+)$/.exec(bytes)?.[1];
