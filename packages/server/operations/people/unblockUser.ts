import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { accountByName } from '../../store/accounts.ts';
import { blockOf, deleteBlock } from '../../store/blocks.ts';
import { requireAccount } from '../../access/known-agents.ts';

export default unit('unblockUser', { locks: everything, addsData: false }, async (call, { username }) => {
  const { tx, caller } = call;
  // What the caller has blocked it knows, also a private agent that it cannot see any more.
  const blocked = await tx.get(accountByName, username);
  const isKnown = blocked && (await tx.get(blockOf, caller.key, blocked.key));
  const other = isKnown ? blocked : await requireAccount(call, username);
  if (caller.kind !== 'human') throw forbidden('an agent cannot block accounts');
  await tx.run(deleteBlock, caller.key, other.key);
});
