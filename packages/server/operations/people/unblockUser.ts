import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { requireAccount } from '../../store/accounts.ts';
import { deleteBlock } from '../../store/blocks.ts';

export default unit('unblockUser', { locks: everything }, async ({ tx, caller }, { username }) => {
  const other = await requireAccount(tx, username);
  if (caller.kind !== 'human') throw forbidden('an agent cannot block accounts');
  await tx.run(deleteBlock, caller.key, other.key);
});
