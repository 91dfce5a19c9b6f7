// Who may write where, for all that puts something new into a conversation: in groups whoever takes part, in direct
// chats as long as the other one is there and neither has blocked the other.
import type { Call } from '../store/call.ts';
import { forbidden } from '../core/errors.ts';
import { hasBlocked, otherOfDirect } from '../store/blocks.ts';
import type { Sql } from '../store/sql.ts';

type Obstacle = 'deleted' | 'blocked' | 'blocks';

/** What the one who is told reads. That it is blocked it is not told (BLOCK-3). */
const reasons: Record<Obstacle, string> = {
  deleted: 'this account is deleted',
  blocked: 'you have blocked this account: unblock it first',
  blocks: 'you may not write to this account',
};

/** Why the caller, who takes part, may not write here; undefined when it may. */
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

/** Behind `requireChat`, and behind the look-up of a repeat, which changes nothing: 403 for whoever may not write. */
export async function assertMayWrite(
  call: Pick<Call, 'tx' | 'caller'>,
  chat: { key: number; kind: 'direct' | 'group' },
): Promise<void> {
  const obstacle = await obstacleTo(call, chat);
  if (obstacle) throw forbidden(reasons[obstacle]);
}

/** No direct chat of two begins where either has blocked the other (BLOCK-3). */
export async function assertMayMeet(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  other: { key: number },
): Promise<void> {
  if (await hasBlocked(tx, caller.key, other.key)) throw forbidden(reasons.blocked);
  if (await hasBlocked(tx, other.key, caller.key)) throw forbidden(reasons.blocks);
}
