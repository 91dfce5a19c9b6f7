import type { Call } from '../access/call.ts';
import { forbidden } from '../core/errors.ts';
import { channelByKey } from '../store/chats.ts';
import { mark, type MessageRow, visibleStatus } from '../store/messages.ts';

/** True if no account can see the message: it is deleted, or its channel is. */
export async function isGone({ tx }: Pick<Call, 'tx'>, row: MessageRow): Promise<boolean> {
  if (row.deleted_at !== null) return true;
  return row.channel_key !== 0 && (await tx.get(channelByKey, row.channel_key))?.deleted_at !== null;
}

/**
 * True if the caller can see the message: the caller takes part, and the message is not deleted, hidden or in a deleted
 * channel.
 */
export async function isVisible(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  { key }: Pick<MessageRow, 'key'>,
): Promise<boolean> {
  return (await tx.get(visibleStatus, key, caller.key)) !== undefined;
}

/** A private message stays where it is: nothing that everybody sees may refer to it (DECIDE-9). */
export function assertPublic({ marks }: Pick<MessageRow, 'marks'>): void {
  if (marks & mark.private) throw forbidden('this message is private');
}
