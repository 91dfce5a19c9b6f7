import type { Claim } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { contextOf } from '../rules/conversation-context.ts';
import { boundedOverride, termsOf } from '../rules/owner-key-terms.ts';
import { NOTES_BYTES } from '../rules/notes.ts';
import { estimateOfReply } from '../rules/reply-estimates.ts';
import type { AccountRow } from '../store/accounts.ts';
import { ownerConfig, overrideOf } from '../store/bot-config.ts';
import { contextSize } from '../store/timelines.ts';
import type { TurnRow } from '../store/turns.ts';
import { remembers, storedContext, storedValues } from './load-run-config.ts';

type ClaimedTurn = Pick<TurnRow, 'human_key' | 'chat_key' | 'channel_key' | 'thread_key' | 'message_key'>;

/**
 * The tokens that a claimed turn reserves of its agent's budgets until it ends, in whatever way: estimated from the
 * messages that the model will receive and from the settings of the turn (BUDGET-7). 0 if no provider is called.
 */
export async function tokensToReserve(
  { tx }: Pick<UnitCall, 'tx'>,
  agent: Pick<AccountRow, 'key' | 'parent_key'>,
  turn: ClaimedTurn,
  { payer, refused }: Claim,
  isContinued = false,
): Promise<number> {
  if (payer === null || refused !== null) return 0;
  const row = await tx.get(ownerConfig, agent.key);
  const context = contextOf(storedContext(row));
  const { chat_key, channel_key, thread_key, message_key, human_key } = turn;
  const size = await tx.get(contextSize, chat_key, channel_key, thread_key, message_key, context.messages + 1);
  const isGuest = payer === 'owner' && human_key !== agent.parent_key;
  const shared = storedValues(row);
  const own = storedValues(await tx.get(overrideOf, agent.key, human_key));
  const counted = isGuest ? boundedOverride(own, termsOf(row), shared) : own;
  const { system_prompt = '', max_output_tokens } = { ...shared, ...counted };
  return estimateOfReply({
    messages: size?.messages ?? 0,
    bytes: size?.bytes ?? 0,
    hasFiles: (size?.with_files ?? 0) > 0,
    isInThread: thread_key !== 0,
    context,
    systemBytes: Buffer.byteLength(system_prompt) + (remembers(row) ? NOTES_BYTES : 0),
    outputTokens: max_output_tokens === undefined ? undefined : Number(max_output_tokens),
    isContinued,
    isGuest,
  });
}
