import { account, household } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit, nothing, ofCaller } from '../commits/unit-locks.ts';
import { idBytes, idText } from '../core/ids.ts';
import { ServiceError } from '../core/errors.ts';
import { planRemoval, unusedOf } from '../store/files.ts';
import {
  appendUploadPart,
  deleteOpenUpload,
  deleteOpenUploadsBefore,
  endOpenUpload,
  insertOpenUpload,
  openUpload,
  type OpenUploadRow,
  openUploadsOf,
} from '../store/open-uploads.ts';
import { storedBy } from '../store/stored-bytes.ts';
import { addFile, assertQuota, assertRoomFor, type NewFile } from './stored-files.ts';

/** Maximum parts of an upload: a client that sends it in smaller pieces begins again with larger ones. */
export const MAX_PARTS = 2_000;
/** How long a caller with too many unfinished uploads is asked to wait. */
const WAIT_S = 60;

/** The names of the stored parts of an upload, in order. */
export const partsOf = ({ id, parts }: Pick<OpenUploadRow, 'id' | 'parts'>): string[] =>
  parts.split(' ').flatMap((part) => (part === '' ? [] : partName(idText(id), part)));
export const partName = (id: string, part: string): string => `${id}-${part}`;

/** Begins an upload whose length is declared; it counts as if it were stored already (FILE-34). */
export const beginUpload = internalUnit(
  {
    // The unit counts the stored bytes and the unfinished uploads of a person and its bots.
    locks: ({ caller }) => [account(caller.key), household(caller.username)],
  },
  async (
    { tx, caller, now, settings }: UnitCall,
    upload: { id: string; name: string; size: number },
  ): Promise<void> => {
    const { id, name, size } = upload;
    const open = (await tx.get(openUploadsOf, caller.key)) ?? { count: 0, bytes: 0 };
    if (open.count >= settings.openUploads)
      throw new ServiceError('rate_limited', `at most ${settings.openUploads} unfinished uploads`, {
        retry_after: WAIT_S,
      });
    assertQuota(await tx.get(unusedOf, caller.key), size, now, settings);
    assertRoomFor(await tx.get(storedBy, caller.key), open.bytes + size, settings);
    await tx.run(insertOpenUpload, idBytes(id), caller.key, name, size, now);
  },
);

/** Appends a stored part; false if the upload is at another offset by now. */
export const appendPart = internalUnit(
  { locks: ofCaller },
  async (
    { tx, caller }: UnitCall,
    { id, offset, received, part }: { id: string; offset: number; received: number; part: string },
  ): Promise<boolean> => (await tx.run(appendUploadPart, idBytes(id), caller.key, offset, received, part)) === 1,
);

/** Inserts the row of the file that an upload became; false if the upload is gone, or has become one already. */
export const finishUpload = internalUnit(
  {
    // As `storeFile`.
    locks: ({ caller }) => [account(caller.key), household(caller.username)],
  },
  async (call: UnitCall, { id, file }: { id: string; file: NewFile }): Promise<boolean> => {
    const { tx, caller, now } = call;
    const upload = await tx.get(openUpload, idBytes(id), caller.key, 0);
    if (!upload || (await tx.run(endOpenUpload, upload.id, caller.key, file.id)) === 0) return false;
    await addFile(call, file);
    for (const name of partsOf(upload)) await tx.run(planRemoval, name, now);
    call.intend({ type: 'removeFiles' });
    return true;
  },
);

/** Deletes an upload that is not finished, and its parts after the commit; false if there is none. */
export const endUpload = internalUnit(
  { locks: ofCaller },
  async (call: UnitCall, { id }: { id: string }): Promise<boolean> => {
    const { tx, caller, now } = call;
    const upload = await tx.get(openUpload, idBytes(id), caller.key, 0);
    if (!upload) return false;
    await tx.run(deleteOpenUpload, upload.id, caller.key);
    for (const name of partsOf(upload)) await tx.run(planRemoval, name, now);
    call.intend({ type: 'removeFiles' });
    return true;
  },
);

/** Deletes the uploads that began before a time. The removal of their parts is planned since they were stored. */
export const expireUploads = internalUnit(
  {
    // Parts that are appended meanwhile find no row.
    locks: nothing,
  },
  async ({ tx }: UnitCall, { before }: { before: number }): Promise<void> => {
    await tx.run(deleteOpenUploadsBefore, before);
  },
);

export const openUploadUnits = { appendPart, beginUpload, endUpload, expireUploads, finishUpload } as const;
