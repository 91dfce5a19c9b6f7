// People's own accounts: profile, password, deletion, export, privacy, and blocks.
import { limits } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden, invalid } from '../../core/errors.ts';
import { requireAccount } from '../../access/known-agents.ts';
import { blockOf, countBlocks, insertBlock } from '../../store/blocks.ts';
import { openStreamsBetween, openTurnsBetween, openTurnsCausedBy, openTurnsOfHuman } from '../../store/turns.ts';
import { endUnpaidTurns } from '../../agents/end-unpaid-turns.ts';
import { endReplies } from '../../agents/end-replies.ts';

/** Emits no event, because the blocked account must not learn of the block (BLOCK-2). */
// Adds no data: a block immediately stops the use of the caller's key.
export default unit('blockUser', { locks: everything, addsData: false }, async (call, { username }) => {
  const { tx, caller, now } = call;
  const other = await requireAccount(call, username);
  if (caller.kind !== 'human') throw forbidden('an agent cannot block accounts');
  if (other.key === caller.key) throw invalid('username', 'must not be your own');
  if (await tx.get(blockOf, caller.key, other.key)) return;
  if (((await tx.get(countBlocks, caller.key))?.count ?? 0) >= limits.blocks)
    throw invalid('username', `would exceed the maximum of ${limits.blocks} blocked accounts`);
  await tx.run(insertBlock, caller.key, other.key, now);
  // Replies in the direct chats that the block closes (BLOCK-3), those between both sides' agents included (BLOCK-8).
  const turns = await tx.all(openTurnsBetween, caller.key, other.key);
  // Replies to the other's agents, of the caller's agents or for the caller (DISPATCH-20).
  const answers = await tx.all(openTurnsCausedBy, caller.key, other.key);
  const ended = new Map([...turns, ...answers].map((turn) => [turn.key, turn]));
  await endReplies(call, [...ended.values()], await tx.all(openStreamsBetween, caller.key, other.key));
  await endUnpaidTurns(call, await tx.all(openTurnsOfHuman, other.key));
});
