import { limits } from '@parley/protocol';
import { type UnitCall, unit } from '../../call.ts';
import { forbidden, invalid } from '../../errors.ts';
import { agentsOf, requireAccount } from '../../store/accounts.ts';
import { blockOf, countBlocks, insertBlock } from '../../store/blocks.ts';
import { directChat } from '../../store/chats.ts';
import { openStreamsOfChat, openTurnsOfChat } from '../../store/turns.ts';
import { endReplies } from '../conversations/end-replies.ts';
import { directPair } from '../conversations/make-chat.ts';

/** Emits nothing: that it is blocked is for nobody to hear (BLOCK-2). */
export default unit('blockUser', async (call, { username }) => {
  const { tx, caller, now } = call;
  const other = await requireAccount(tx, username);
  if (caller.kind !== 'human') throw forbidden('agents block nobody');
  if (other.key === caller.key) throw invalid('username', 'is your own');
  if (await tx.get(blockOf, caller.key, other.key)) return;
  if (((await tx.get(countBlocks, caller.key))?.count ?? 0) >= limits.blocks)
    throw invalid('username', `would be more than ${limits.blocks} that you have blocked`);
  await tx.run(insertBlock, caller.key, other.key, now);
  for (const { key } of [other, ...(await tx.all(agentsOf, other.key))]) await endRepliesOf(call, key);
});

/** What an account that is blocked from now on writes to the caller alone ends here (BLOCK-3). */
async function endRepliesOf(call: UnitCall, blockedKey: number): Promise<void> {
  const { tx, caller } = call;
  const chat = await tx.get(directChat, directPair(caller.key, blockedKey));
  if (!chat) return;
  await endReplies(call, await tx.all(openTurnsOfChat, chat.key), await tx.all(openStreamsOfChat, chat.key));
}
