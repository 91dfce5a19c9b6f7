import { limits } from '@parley/protocol';
import { unit } from '../../call.ts';
import { forbidden, invalid } from '../../errors.ts';
import { requireAccount } from '../../store/accounts.ts';
import { blockOf, countBlocks, insertBlock } from '../../store/blocks.ts';

/** Emits nothing: that it is blocked is for nobody to hear (BLOCK-2). */
export default unit('blockUser', async ({ tx, caller, now }, { username }) => {
  const other = await requireAccount(tx, username);
  if (caller.kind !== 'human') throw forbidden('agents block nobody');
  if (other.key === caller.key) throw invalid('username', 'is your own');
  if (await tx.get(blockOf, caller.key, other.key)) return;
  if (((await tx.get(countBlocks, caller.key))?.count ?? 0) >= limits.blocks)
    throw invalid('username', `would be more than ${limits.blocks} that you have blocked`);
  await tx.run(insertBlock, caller.key, other.key, now);
});
