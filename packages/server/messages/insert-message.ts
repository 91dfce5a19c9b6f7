// messages/: everything that writes a message. Imports push, files, log and below.
import { fits, limits } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { ServiceError } from '../core/errors.ts';
import type { TextReading } from '../rules/text-reading.ts';
import { touchChat } from '../store/chats.ts';
import {
  insertMessage as insertRow,
  mark,
  markMessage,
  type MessageRecord,
  type MessageRow,
  notePrivateReply,
  noteReply,
} from '../store/messages.ts';
import { contentMarks } from './content-marks.ts';
import { growStored } from '../store/stored-bytes.ts';

interface Place {
  id: Uint8Array;
  chat_key: number;
  channel_key: number;
  thread_key: number;
  marks: number;
  clientMsgId: string | null;
  digest: Uint8Array | null;
  /** Called with the size of the record before anything is written; throws if the record does not fit. */
  assertFits?: (bytes: number) => void;
  /** What stands in the text; a short text is read here. */
  reading?: TextReading | undefined;
}

/** Stores a message at the end of its conversation. */
export async function insertMessage(
  { tx, caller, now }: Pick<UnitCall, 'tx' | 'caller' | 'now'>,
  record: MessageRecord,
  { clientMsgId, digest, assertFits, reading, marks: given, ...place }: Place,
): Promise<MessageRow> {
  const { grant } = caller;
  // Marked as written by a program for its person (ACCESS-10).
  const text = JSON.stringify(grant ? { ...record, via: { name: grant.name } } : record);
  const bytes = Buffer.byteLength(text);
  assertFits?.(bytes);
  const marks = given | contentMarks(record, reading);
  const isPublic = (marks & mark.private) === 0;
  // At once: on PostgreSQL one round trip. The unit's lock of the conversation makes positions follow its commits.
  const [, , made] = await Promise.all([
    // Nobody else may see that there is a private message (DECIDE-9).
    isPublic ? tx.run(touchChat, place.chat_key, now) : 0,
    record.status === 'streaming' ? 0 : tx.run(growStored, caller.ownerKey, bytes),
    tx.get(
      insertRow,
      place.id,
      place.chat_key,
      place.channel_key,
      place.thread_key,
      caller.key,
      record.status,
      marks,
      now,
      clientMsgId,
      digest,
      text,
    ),
  ]);
  if (!made) throw new Error('an INSERT … RETURNING gave no row');
  if (place.thread_key !== 0) {
    await tx.run(
      isPublic ? noteReply : notePrivateReply,
      place.thread_key,
      place.chat_key,
      place.channel_key,
      made.key,
      now,
    );
    await tx.run(markMessage, place.thread_key, mark.thread);
  }
  return {
    ...place,
    marks,
    key: made.key,
    sender_key: caller.key,
    status: record.status,
    created_at: now,
    deleted_at: null,
    record: text,
  };
}

export function assertLength(kind: 'human' | 'agent', text: string): void {
  const most = kind === 'human' ? limits.humanTextBytes : limits.agentTextBytes;
  if (!fits(text, most)) throw new ServiceError('too_large', `text is longer than ${most} bytes`, { field: 'text' });
}

export const sameBytes = (a: Uint8Array | null, b: Uint8Array): boolean => a !== null && Buffer.compare(a, b) === 0;
