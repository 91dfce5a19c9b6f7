// Who may add something to a conversation: in a direct chat either account while both exist and neither has blocked the
// other, in a group every participant. Where only managers post, the others may still react, vote and press buttons.
import type { Call } from '../access/call.ts';
import { forbidden } from '../core/errors.ts';
import { hasBlocked, otherOfDirect } from '../store/blocks.ts';
import { participant } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';

type Obstacle = 'deleted' | 'blocked' | 'blocks';

/** Error texts for the caller. They do not reveal that the other account has blocked the caller (BLOCK-3). */
const reasons: Record<Obstacle, string> = {
  deleted: 'this account is deleted',
  blocked: 'you have blocked this account: unblock it first',
  blocks: 'you may not write to this account',
};

/** Why the caller, a participant, may not write here; undefined if it may. */
export async function obstacleTo(
  { tx, caller }: { tx: Sql; caller: { readonly key: number } },
  chat: { key: number; kind: 'direct' | 'group' },
): Promise<Obstacle | undefined> {
  if (chat.kind === 'group') return undefined;
  const other = await tx.get(otherOfDirect, chat.key, caller.key);
  if (!other) return undefined;
  if (other.deleted_at !== null) return 'deleted';
  if (other.is_blocked === 1) return 'blocked';
  return other.has_blocked === 1 ? 'blocks' : undefined;
}

/**
 * Throws 403 if the caller may not write here: a message, an edit, any words that others read (POST-3). Call it
 * after `requireChat`, and after the look-up of a retry: a retry may succeed even if the caller may no longer write.
 */
export async function assertMayWrite(
  call: Pick<Call, 'tx' | 'caller'>,
  chat: { key: number; kind: 'direct' | 'group'; managers_post: number },
): Promise<void> {
  if (chat.managers_post === 1 && !(await isManager(call, chat.key)))
    throw forbidden('only the owner and admins of this group may write here');
  await assertMayReact(call, chat);
}

/** Throws 403 if the caller may not react here, vote, decide, press a button or pin: blocks only, also where managers post (POST-6). */
export async function assertMayReact(
  call: Pick<Call, 'tx' | 'caller'>,
  chat: { key: number; kind: 'direct' | 'group' },
): Promise<void> {
  const obstacle = await obstacleTo(call, chat);
  if (obstacle) throw forbidden(reasons[obstacle]);
}

/** Whether the caller is owner or admin of the group; a bot writes by the role of its owner (POST-5). */
export async function isManager({ tx, caller }: Pick<Call, 'tx' | 'caller'>, chatKey: number): Promise<boolean> {
  const row = await tx.get(participant, chatKey, caller.ownerKey);
  return row !== undefined && row.role !== 'member';
}

/** 403 if either account has blocked the other: then they cannot start a direct chat (BLOCK-3). */
export async function assertMayMeet(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  other: { key: number },
): Promise<void> {
  if (await hasBlocked(tx, caller.key, other.key)) throw forbidden(reasons.blocked);
  if (await hasBlocked(tx, other.key, caller.key)) throw forbidden(reasons.blocks);
}
