import type { TokenUsage } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { account } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { dayOf, firstOfMonth } from '../rules/usage-days.ts';
import { accountByKey } from '../store/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import { type StreamRow, turnByKey } from '../store/turns.ts';
import { addToMonth, addUsage, atCap, noteStreamUsage } from '../store/usage.ts';

/** What was used, and of whose reply. */
export interface Booking {
  messageKey: number;
  agentKey: number;
  chatKey: number;
  turnKey: number | null;
  /** Undefined where its provider has not reported it. */
  usage: TokenUsage | undefined;
  /** By the length of its texts, for what ended before its provider could report all of it (KEY-15). */
  estimatedTokens: number;
  /** False for a request whose reply goes on with another one. */
  isReply: boolean;
}

/** Adds to the books: two rows, however many replies there are (USAGE-10). */
export async function book({ tx, now }: Pick<UnitCall, 'tx' | 'now'>, booking: Booking): Promise<void> {
  const { usage, estimatedTokens } = booking;
  const { input_tokens, output_tokens } = usage ?? { input_tokens: 0, output_tokens: 0 };
  const agent = await tx.get(accountByKey, booking.agentKey);
  const chat = await tx.get(chatByKey, booking.chatKey);
  // The built-in guide has no owner, and costs nothing.
  if (!chat || !agent || agent.parent_key === null) return;
  // Nor does one whose owner has gone: nobody would read what it costs (PEOPLE-9).
  if ((await tx.get(accountByKey, agent.parent_key))?.deleted_at !== null) return;
  const turn = booking.turnKey === null ? undefined : await tx.get(turnByKey, booking.turnKey);
  const day = dayOf(now);
  // What nobody has fired is the owner's own.
  const human = turn?.human_key ?? agent.parent_key;
  const tokens = input_tokens + output_tokens;
  const isGuest = turn?.payer === 'owner' && human !== agent.parent_key;
  const ownerKeyTokens = turn?.payer === 'asker' ? 0 : isGuest ? Math.max(tokens, estimatedTokens) : tokens;
  if (!usage && ownerKeyTokens === 0) return;
  const replies = Number(usage !== undefined && booking.isReply);
  const place = [agent.parent_key, agent.key, human, chat.id, day] as const;
  await tx.run(addUsage, ...place, input_tokens, output_tokens, replies, ownerKeyTokens);
  if (tokens > 0) await tx.run(addToMonth, agent.key, firstOfMonth(day), tokens);
}

/** What the main thread knows of a request that no end of a reply will tell: it was made again, or its reply deleted. */
export const bookUsage = internalUnit(
  {
    // An agent's usage of a month is one row.
    locks: ({ input }) => [account(input.agentKey)],
  },
  async (call: UnitCall, booking: Booking): Promise<void> => {
    await book(call, booking);
    await call.tx.run(noteStreamUsage, booking.messageKey, null, null);
  },
);

/** What was written down of an open reply's usage. */
export const notedUsage = ({ input_tokens, output_tokens }: StreamRow): TokenUsage | undefined =>
  input_tokens === null || output_tokens === null ? undefined : { input_tokens, output_tokens };

/** Whether the agent has used all that its owner lets it use in this month (USAGE-12). */
export async function isAtCap({ tx, now }: Pick<UnitCall, 'tx' | 'now'>, agentKey: number): Promise<boolean> {
  return (await tx.get(atCap, agentKey, firstOfMonth(dayOf(now)))) !== undefined;
}
