// Blocks along a chain of firings: an agent answers no message in whose chain an agent of somebody stands whom its
// owner, or the human who would pay, has blocked (DISPATCH-20).
import type { UnitCall } from '../commits/unit-call.ts';
import { agentsBlocking, hasBlocked } from '../store/blocks.ts';
import { stateOfMessage } from '../store/messages.ts';
import { turnOfReply, type TurnRow } from '../store/turns.ts';

type Call = Pick<UnitCall, 'tx'>;

/** The agents whose messages led to a message of `senderKey`, that sender first. `turn`: the firing that it answers. */
export async function sendersInChain(
  { tx }: Call,
  senderKey: number,
  turn: Pick<TurnRow, 'message_key' | 'hop'> | undefined,
): Promise<number[]> {
  const senders = new Set([senderKey]);
  let at = turn;
  // A chain that a person has let go on has more hops than the limit (DISPATCH-22).
  for (let hops = turn?.hop ?? 0; at && at.hop > 0 && hops > 0; hops -= 1) {
    const sender = await tx.get(stateOfMessage, at.message_key);
    if (sender) senders.add(sender.sender_key);
    at = await tx.get(turnOfReply, at.message_key);
  }
  return [...senders];
}

/**
 * The agents of a conversation that may not be fired by a message of these senders; 'all' if the human has blocked one
 * of them.
 */
export async function barredByChain(
  { tx }: Call,
  chatKey: number,
  senders: readonly number[],
  humanKey: number,
): Promise<ReadonlySet<number> | 'all'> {
  const barred = new Set<number>();
  for (const sender of senders) {
    if (await hasBlocked(tx, humanKey, sender)) return 'all';
    for (const { account_key } of await tx.all(agentsBlocking, chatKey, sender)) barred.add(account_key);
  }
  return barred;
}

/** Whether a block that was made after a firing forbids its turn. */
export async function isBarredByChain(call: Call, turn: TurnRow): Promise<boolean> {
  if (turn.hop === 0) return false;
  const sender = await call.tx.get(stateOfMessage, turn.message_key);
  if (!sender) return false;
  const before = await call.tx.get(turnOfReply, turn.message_key);
  const senders = await sendersInChain(call, sender.sender_key, before);
  const barred = await barredByChain(call, turn.chat_key, senders, turn.human_key);
  return barred === 'all' || barred.has(turn.agent_key);
}
