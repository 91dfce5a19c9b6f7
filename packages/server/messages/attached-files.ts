import type { Attachment, AttachmentInput } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid, notFound } from '../core/errors.ts';
import { attachmentOf } from '../files/attachment.ts';
import { idBytes } from '../core/ids.ts';
import {
  countUse,
  deleteUsesOfChannel,
  deleteUsesOfMessage,
  fileForAccount,
  insertUse,
  uncountUse,
} from '../store/files.ts';
import type { MessageRow } from '../store/messages.ts';
import { dropFile } from '../files/stored-files.ts';

/** Whether an account may see a file is looked up among so many messages at most. */
const MOST_USES = 1_000;

/** Our own fields that the record of a file may lack: none of them is the sender's to fill in. */
const unsaid = { width: undefined, height: undefined, thumbnail_url: undefined, title: undefined, data: undefined };

/** Attachments as a message stores them, and the keys of the files among them. */
export interface AttachedFiles {
  readonly attachments: readonly Attachment[];
  readonly fileKeys: ReadonlySet<number>;
}

/**
 * The attachments of a message that is about to be stored: those with an `id` are the service's own record of that
 * file, whatever our fields in them say, and it must be one that the caller may see (404). All others stay as they are,
 * but for a thumbnail, which clients load without being asked (FILE-6). Fields that we do not know are kept (MSG-17).
 * For whatever puts a message into a conversation: `findFiles` before the message is inserted, `holdFiles` behind it.
 * A message that is copied gives the attachments of the original's record.
 */
export async function findFiles(
  { tx, caller }: { tx: UnitCall['tx']; caller: { readonly key: number } },
  given: readonly (AttachmentInput | Attachment)[] = [],
): Promise<AttachedFiles> {
  const fileKeys = new Set<number>();
  const attachments: Attachment[] = [];
  for (const attachment of given) {
    const { id, kind } = attachment;
    if (id === undefined) {
      // Without an id the declaration wants a kind.
      if (kind !== undefined) attachments.push({ ...attachment, kind, thumbnail_url: undefined });
      continue;
    }
    const file = await tx.get(fileForAccount, idBytes(id), caller.key);
    if (!file) throw notFound('file');
    if (file.uses >= MOST_USES)
      throw invalid('attachments', `hold a file that stands in ${MOST_USES} messages already`);
    fileKeys.add(file.key);
    attachments.push({ ...attachment, ...unsaid, ...attachmentOf(file) });
  }
  return { attachments, fileKeys };
}

/** Notes that a message, which is stored, holds these files. */
export async function holdFiles(
  { tx }: Pick<UnitCall, 'tx'>,
  { key, channel_key: channelKey }: Pick<MessageRow, 'key' | 'channel_key'>,
  { fileKeys }: AttachedFiles,
): Promise<void> {
  for (const fileKey of fileKeys) {
    if ((await tx.run(insertUse, key, fileKey, channelKey)) === 0) continue;
    // On another node the last message that held it may have gone meanwhile, and the file with it.
    if ((await tx.run(countUse, fileKey)) === 0) throw notFound('file');
  }
}

/** A message has gone, and with it each file that no other message holds (FILE-11). */
export async function releaseFiles(
  call: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  { key }: Pick<MessageRow, 'key'>,
): Promise<void> {
  await release(call, await call.tx.all(deleteUsesOfMessage, key));
}

/** As above, for all messages of a channel. */
export async function releaseFilesOfChannel(
  call: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
  channelKey: number,
): Promise<void> {
  await release(call, await call.tx.all(deleteUsesOfChannel, channelKey));
}

async function release(
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
