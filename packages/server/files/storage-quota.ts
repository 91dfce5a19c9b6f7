import { type ErrorParameters, limits, type MessageStatus } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { ServiceError } from '../core/errors.ts';
import type { Sql } from '../store/sql.ts';
import { countOpenReplies, storedBy } from '../store/stored-bytes.ts';

type Room = Pick<UnitCall, 'tx' | 'settings'>;
type Quota = Pick<UnitCall['settings'], 'storedBytes'>;

/**
 * Bytes that the record of a message uses: an open reply counts when it ends, a deleted message does not count. Those of
 * its decision come on top (DECIDE-1).
 */
export const bytesOfMessage = (message: { status: MessageStatus; deleted_at: number | null; record: string }): number =>
  message.status === 'streaming' || message.deleted_at !== null ? 0 : Buffer.byteLength(message.record);

const fits = (stored: { bytes: number } | undefined, more: number, { storedBytes }: Quota): boolean =>
  (stored?.bytes ?? 0) + more <= storedBytes;

/** Throws if a human and its bots would exceed their storage quota (LIMIT-22). */
export function assertQuotaHolds(
  stored: { bytes: number } | undefined,
  more: number,
  { storedBytes }: Quota,
  parameters?: ErrorParameters,
): void {
  if (fits(stored, more, { storedBytes })) return;
  throw new ServiceError(
    'too_large',
    `a person and its bots store at most ${storedBytes} bytes together: delete messages or files to make room`,
    parameters,
  );
}

/** Whether messages of this size stay within the quota of the account's owner. */
export const fitsQuota = async ({ tx, settings }: Room, accountKey: number, bytes: number): Promise<boolean> =>
  fits(await tx.get(storedBy, accountKey), bytes, settings);

/** Throws if messages of this size would exceed the quota of the account's owner. */
export async function assertRoomToSay({ tx, settings }: Room, accountKey: number, bytes: number): Promise<void> {
  assertQuotaHolds(await tx.get(storedBy, accountKey), bytes, settings);
}

/**
 * The room that a new reply needs. A reply counts towards the quota when it ends, and its end is never refused. So an
 * agent may start one only if the longest possible text fits, together with those of all other open replies of the
 * owner's agents.
 */
async function bytesToReply(tx: Sql, ownerKey: number): Promise<number> {
  const open = (await tx.get(countOpenReplies, ownerKey))?.count ?? 0;
  return (open + 1) * limits.agentTextBytes;
}

export const hasRoomToReply = async ({ tx, settings }: Room, ownerKey: number): Promise<boolean> =>
  fits(await tx.get(storedBy, ownerKey), await bytesToReply(tx, ownerKey), settings);

export const assertRoomToReply = async (call: Room, ownerKey: number): Promise<void> =>
  assertRoomToSay(call, ownerKey, await bytesToReply(call.tx, ownerKey));
