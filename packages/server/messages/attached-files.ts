import type { Attachment, AttachmentInput } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid, notFound, type ServiceError } from '../core/errors.ts';
import { attachmentOf } from '../files/attachment.ts';
import { idBytes } from '../core/ids.ts';
import { countUse, deleteUsesOfChannel, deleteUsesOfMessage, fileForAccount, insertUse } from '../store/files.ts';
import { awaitText, noteMessageOfText, noteTextsOfChannel } from '../store/file-texts.ts';
import type { MessageRow } from '../store/messages.ts';
import { deleteScheduledFiles, insertScheduledFile } from '../store/scheduled.ts';
import { mayHaveText } from '../files/file-reader.ts';
import { releaseUses } from '../files/stored-files.ts';

/** Maximum number of messages that hold a file: all of them may be checked to find one that an account may see. */
const MAX_USES = 1_000;
const inTooMany = (): ServiceError => invalid('attachments', `hold a file that is in ${MAX_USES} messages already`);

/**
 * Optional fields of the service's file records. Cleared first, so that a sender cannot fill in those that a record
 * lacks.
 */
const unsaid = { width: undefined, height: undefined, thumbnail_url: undefined, title: undefined, data: undefined };
/** Only the sender knows these, and only of a sound (FILE-26). */
const ofSound = { duration_ms: undefined, waveform: undefined };
/** Only the service writes these; a copy keeps them (TRANSCRIPT-3). */
const heard = { transcript: undefined };

/** Attachments as a message stores them, and the keys of the files among them. */
interface AttachedFiles {
  readonly attachments: readonly Attachment[];
  readonly fileKeys: ReadonlySet<number>;
}

/**
 * The attachments of a message that is about to be stored. One with an `id` gets the service's own record of that file,
 * which the caller must be able to see (404). Others stay as they are, but lose their thumbnail, which clients would
 * load without asking (FILE-6). Unknown fields are kept (MSG-17). Everything that stores a message calls `findFiles`
 * before the insert and `holdFiles` after it. `isCopy`: they are the attachments of another message's record.
 */
export async function findFiles(
  { tx, caller }: { tx: UnitCall['tx']; caller: { readonly key: number } },
  given: readonly (AttachmentInput | Attachment)[] = [],
  { isCopy = false }: { isCopy?: boolean } = {},
): Promise<AttachedFiles> {
  const fileKeys = new Set<number>();
  const attachments: Attachment[] = [];
  for (const attachment of given) {
    const { id, kind } = attachment;
    if (id === undefined) {
      // The operation's schema requires a kind when there is no id.
      if (kind !== undefined) attachments.push({ ...attachment, kind, thumbnail_url: undefined, ...heard });
      continue;
    }
    const file = await tx.get(fileForAccount, idBytes(id), caller.key);
    if (!file) throw notFound('file');
    if (file.uses >= MAX_USES) throw inTooMany();
    fileKeys.add(file.key);
    const isSound = file.mime_type.startsWith('audio/');
    const described = { ...attachment, ...unsaid, ...(!isSound && ofSound), ...(!isCopy && heard) };
    attachments.push({ ...described, ...attachmentOf(file) });
  }
  return { attachments, fileKeys };
}

/** Records that a stored message holds these files, and lets them be read for the search (FILE-28). */
export async function holdFiles(
  { tx }: Pick<UnitCall, 'tx'>,
  { key, channel_key: channelKey }: Pick<MessageRow, 'key' | 'channel_key'>,
  { fileKeys }: AttachedFiles,
): Promise<void> {
  for (const fileKey of fileKeys) {
    if ((await tx.run(insertUse, key, fileKey, channelKey)) === 0) continue;
    const file = await tx.get(countUse, fileKey);
    // Another unit may have deleted the last message that held the file, and the file with it.
    if (!file) throw notFound('file');
    // Units that read the file at the same time may have stored the last messages that may hold it.
    if (file.uses > MAX_USES) throw inTooMany();
    // After `countUse`, which waits for a unit that is storing the text.
    if (mayHaveText(file) && (await tx.run(awaitText, fileKey, file.account_key)) === 0)
      await tx.run(noteMessageOfText, key, fileKey);
  }
}

/** Records that a message to be sent later holds these files; releaseScheduledFiles releases them. */
export async function holdScheduledFiles(
  { tx }: Pick<UnitCall, 'tx'>,
  scheduledKey: number,
  { fileKeys }: AttachedFiles,
): Promise<void> {
  for (const fileKey of fileKeys) {
    await tx.run(insertScheduledFile, scheduledKey, fileKey);
    if (!(await tx.get(countUse, fileKey))) throw notFound('file');
  }
}

/** Releases the files of a message that is sent or cancelled, and deletes each that no message holds. */
export async function releaseScheduledFiles(
  call: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  scheduledKey: number,
): Promise<void> {
  await releaseUses(call, await call.tx.all(deleteScheduledFiles, scheduledKey));
}

/** Releases the files of a deleted message, and deletes each that no other message holds (FILE-11). */
export async function releaseFiles(
  call: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  { key }: Pick<MessageRow, 'key'>,
): Promise<void> {
  await releaseUses(call, await call.tx.all(deleteUsesOfMessage, key));
}

/** Releases the files of all messages of a channel, and deletes each that no other message holds. */
export async function releaseFilesOfChannel(
  call: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  channelKey: number,
): Promise<void> {
  await call.tx.run(noteTextsOfChannel, channelKey);
  await releaseUses(call, await call.tx.all(deleteUsesOfChannel, channelKey));
}
