import { AttachmentInput } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { idText } from '../core/ids.ts';
import { addFile, type NewFile } from '../files/stored-files.ts';
import { findFiles, holdFiles } from '../messages/attached-files.ts';
import type { AccountRow } from '../store/accounts.ts';
import { messageByKey, recordOf, updateMessage } from '../store/messages.ts';
import { callerOf } from './caller-of.ts';

/** A file that a tool has made for a reply; its bytes are stored. */
export interface MadeFile {
  file: NewFile;
  /** What a picture shows, in words; empty if nobody has said it. */
  alt: string;
}

/**
 * Adds files to a reply that is being written, in a unit that holds the locks of `storeFile` for its agent. Everybody sees
 * them when the reply ends: its record counts among the stored bytes only then.
 */
export async function addFilesToReply(
  unit: UnitCall,
  { messageKey, agent }: { messageKey: number; agent: AccountRow },
  made: readonly MadeFile[],
): Promise<void> {
  const call = { ...unit, caller: callerOf(agent) };
  const row = await call.tx.get(messageByKey, messageKey);
  if (!row || row.deleted_at !== null) return;
  for (const { file } of made) await addFile(call, file);
  const files = await findFiles(
    call,
    made.map(({ file, alt }) => AttachmentInput.parse({ id: idText(file.id), ...(alt !== '' && { alt }) })),
  );
  const former = recordOf(row);
  const record = { ...former, attachments: [...former.attachments, ...files.attachments] };
  await call.tx.run(updateMessage, row.key, row.status, JSON.stringify(record));
  await holdFiles(call, row, files);
}
