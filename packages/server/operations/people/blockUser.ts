import { limits } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden, invalid } from '../../core/errors.ts';
import { requireAccount } from '../../store/accounts.ts';
import { blockOf, countBlocks, insertBlock } from '../../store/blocks.ts';
import { openTurnsOfHuman } from '../../store/people.ts';
import { openStreamsBetween, openTurnsBetween } from '../../store/turns.ts';
import { endUnpaidTurns } from '../../agents/owner-key.ts';
import { endReplies } from '../../agents/end-replies.ts';

/** Emits nothing: that it is blocked is for nobody to hear (BLOCK-2). */
export default unit('blockUser', { locks: everything }, async (call, { username }) => {
  const { tx, caller, now } = call;
  const other = await requireAccount(tx, username);
  if (caller.kind !== 'human') throw forbidden('agents block nobody');
  if (other.key === caller.key) throw invalid('username', 'is your own');
  if (await tx.get(blockOf, caller.key, other.key)) return;
  if (((await tx.get(countBlocks, caller.key))?.count ?? 0) >= limits.blocks)
    throw invalid('username', `would be more than ${limits.blocks} that you have blocked`);
  await tx.run(insertBlock, caller.key, other.key, now);
  // Those in the direct chats that the block now parts (BLOCK-3), those of agents on both sides included (BLOCK-8).
  const turns = await tx.all(openTurnsBetween, caller.key, other.key);
  await endReplies(call, turns, await tx.all(openStreamsBetween, caller.key, other.key));
  await endUnpaidTurns(call, await tx.all(openTurnsOfHuman, other.key));
});
