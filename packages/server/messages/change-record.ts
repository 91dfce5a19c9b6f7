import type { Message } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import type { RawJson } from '../core/json.ts';
import { type MessageRecord, type MessageRow, updateMessage } from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import { addStored } from '../store/stored-bytes.ts';
import { emitAbout } from './message-scopes.ts';

/** The bytes that a changed record needs beside those of the former one. */
export const moreBytes = (row: MessageRow, changed: MessageRecord): number =>
  Buffer.byteLength(JSON.stringify(changed)) - Buffer.byteLength(row.record);

/** Stores and publishes what the service itself changes of a message: not its text, and not who wrote it. */
export async function changeRecord(
  call: Pick<UnitCall, 'tx' | 'accounts' | 'emit'>,
  row: MessageRow,
  changed: MessageRecord,
): Promise<RawJson<Message>> {
  const { tx } = call;
  const record = JSON.stringify(changed);
  await tx.run(addStored, row.sender_key, moreBytes(row, changed));
  await tx.run(updateMessage, row.key, row.status, record);
  const message = await messageJson(call, { ...row, record });
  await emitAbout(call, row, { kind: 'messageUpdated', params: message, ref: row.key });
  return message;
}
