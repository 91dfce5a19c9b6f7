import type { UnitCall } from '../commits/unit-call.ts';
import { account, household } from '../commits/lock-names.ts';
import { everything, internalUnit, nothing } from '../commits/unit-locks.ts';
import { ServiceError } from '../core/errors.ts';
import {
  ageUnsentOf,
  deleteFile,
  dropRemoval,
  type FileRow,
  insertFile,
  planRemoval,
  uncountUse,
  unsentOf,
  unusedBefore,
  unusedOf,
} from '../store/files.ts';
import { deleteText } from '../store/file-texts.ts';
import { idText } from '../core/ids.ts';
import { addStored, storedBy } from '../store/stored-bytes.ts';
import { assertQuotaHolds } from './storage-quota.ts';

/** Maximum files deleted per unit, few enough that the unit does not delay other writes. */
const DROPPED_AT_ONCE = 200;
const FILE_OVERHEAD_BYTES = 4_096;

/** The names of a file's bytes in the storage. */
export const bytesOf = (id: string): string => id;
export const thumbnailBytesOf = (id: string): string => `${id}-thumbnail`;

/** Lists names before their bytes are stored; they are removed if no row names them by `dueAt` (FILE-12). */
export const expectBytes = internalUnit(
  {
    // No other unit uses these names yet.
    locks: nothing,
  },
  async ({ tx }: UnitCall, { names, dueAt }: { names: readonly string[]; dueAt: number }) => {
    for (const name of names) await tx.run(planRemoval, name, dueAt);
  },
);

export type NewFile = Pick<
  FileRow,
  'id' | 'kind' | 'name' | 'mime_type' | 'size' | 'width' | 'height' | 'thumbnail_size'
>;

/** Inserts the row of an uploaded file whose bytes are stored. */
export const storeFile = internalUnit(
  {
    // The unit counts the stored bytes of a person and its bots.
    locks: ({ caller }) => [account(caller.key), household(caller.username)],
  },
  async (call: UnitCall, file: NewFile): Promise<void> => addFile(call, file),
);

/** Within a unit that holds the locks of `storeFile`. */
export async function addFile({ tx, caller, now, settings }: UnitCall, file: NewFile): Promise<void> {
  const { id, kind, name, mime_type: type, size, width, height, thumbnail_size: thumbnailSize } = file;
  assertQuota(await tx.get(unusedOf, caller.key), size, now, settings);
  assertRoomFor(await tx.get(storedBy, caller.key), sizeWithAll(file), settings);
  await tx.run(addStored, caller.key, sizeWithAll(file));
  await tx.run(insertFile, id, caller.key, kind, name, type, size, width, height, thumbnailSize, now);
  await tx.run(dropRemoval, bytesOf(idText(id)));
  if (thumbnailSize > 0) await tx.run(dropRemoval, thumbnailBytesOf(idText(id)));
}

/** Limits the files that one account has uploaded and not sent (FILE-3). */
export function assertQuota(
  unused: { bytes: number; oldest: number | null } | undefined,
  size: number,
  now: number,
  { unusedFileBytes, unusedFileMs }: UnitCall['settings'],
): void {
  if (!unused || unused.bytes + size <= unusedFileBytes) return;
  const freeAt = (unused.oldest ?? now) + unusedFileMs;
  throw new ServiceError(
    'rate_limited',
    `more than ${unusedFileBytes} bytes of files that were not sent in a message`,
    {
      retry_after: Math.max(1, Math.ceil((freeAt - now) / 1_000)),
    },
  );
}

/** The disk space counted for a file; the overhead covers its row and directory entry. */
const sizeWithAll = ({ size, thumbnail_size: thumbnailSize }: Pick<FileRow, 'size' | 'thumbnail_size'>): number =>
  size + thumbnailSize + FILE_OVERHEAD_BYTES;

/** Files count together with messages towards the storage quota (FILE-15). */
export const assertRoomFor = (
  stored: { bytes: number } | undefined,
  size: number,
  settings: UnitCall['settings'],
): void => assertQuotaHolds(stored, size, settings, { field: 'file' });

/** Deletes a file; its bytes are removed after the commit. */
export async function dropFile(
  { tx, now }: Pick<UnitCall, 'tx' | 'now'>,
  file: Pick<FileRow, 'key' | 'id' | 'account_key' | 'size' | 'thumbnail_size'>,
): Promise<void> {
  await tx.run(deleteFile, file.key);
  await tx.run(deleteText, file.key);
  await tx.run(addStored, file.account_key, -sizeWithAll(file));
  const id = idText(file.id);
  await tx.run(planRemoval, bytesOf(id), now);
  if (file.thumbnail_size > 0) await tx.run(planRemoval, thumbnailBytesOf(id), now);
}

/** Releases files that something held, and deletes each that nothing holds any more (FILE-11). */
export async function releaseUses(
  call: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  uses: readonly { file_key: number }[],
): Promise<void> {
  let dropped = 0;
  for (const { file_key: fileKey } of uses) {
    const file = await call.tx.get(uncountUse, fileKey);
    if (!file || file.uses > 0) continue;
    await dropFile(call, file);
    dropped += 1;
  }
  if (dropped > 0) call.intend({ type: 'removeFiles' });
}

/** Deletes the oldest unsent files from before a time; returns how many (FILE-13). */
export const dropUnusedFiles = internalUnit(
  {
    // No other unit may attach a file to a message while this unit removes the file.
    locks: everything,
  },
  async (call: UnitCall, { before, limit }: { before: number; limit: number }): Promise<number> => {
    const files = await call.tx.all(unusedBefore, before, limit);
    for (const file of files) await dropFile(call, file);
    if (files.length > 0) call.intend({ type: 'removeFiles' });
    return files.length;
  },
);

/** Deletes the files that a deleted account uploaded and never sent: most of them at once, the rest soon (PEOPLE-8). */
export async function dropUnsentOf(
  { tx, now, intend }: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  accountKey: number,
): Promise<void> {
  const files = await tx.all(unsentOf, accountKey, DROPPED_AT_ONCE);
  if (files.length === 0) return;
  for (const file of files) await dropFile({ tx, now }, file);
  await tx.run(ageUnsentOf, accountKey);
  intend({ type: 'removeFiles' });
}

export const forgetRemovals = internalUnit(
  {
    // The bytes are already removed, so no other unit uses their names.
    locks: nothing,
  },
  async ({ tx }: UnitCall, names: readonly string[]): Promise<void> => {
    for (const name of names) await tx.run(dropRemoval, name);
  },
);

export const fileUnits = { dropUnusedFiles, expectBytes, forgetRemovals, storeFile } as const;
