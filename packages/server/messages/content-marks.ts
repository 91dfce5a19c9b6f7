import type { MediaKind } from '@parley/protocol';
import { mediaKindsOf } from '../rules/media-kinds.ts';
import type { TextReading } from '../rules/text-reading.ts';
import { mark, type MessageRecord, type MessageRow } from '../store/messages.ts';
import { setMarks } from '../store/reply-versions.ts';
import type { Sql } from '../store/sql.ts';

const kinds = ['media', 'files', 'links'] as const satisfies readonly MediaKind[];
const all = kinds.reduce((sum, kind) => sum | mark[kind], 0);

/** The marks by which getChatMedia finds a message (FILE-21). */
export function contentMarks(
  { content, attachments }: Pick<MessageRecord, 'content' | 'attachments'>,
  reading: TextReading | undefined,
): number {
  const found = mediaKindsOf(reading ? '' : content, attachments);
  if (reading?.hasLink) found.add('links');
  return kinds.reduce((sum, kind) => (found.has(kind) ? sum | mark[kind] : sum), 0);
}

/** Sets these marks after the content of a stored message has changed; its unit also calls `reindexMessage`. */
export async function markContent(
  tx: Sql,
  { key, marks }: Pick<MessageRow, 'key' | 'marks'>,
  record: MessageRecord,
  reading: TextReading | undefined,
): Promise<void> {
  const next = contentMarks(record, reading);
  if ((marks & all) !== next) await tx.run(setMarks, key, all, next);
}
