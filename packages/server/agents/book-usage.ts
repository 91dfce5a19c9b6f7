import type { Price, TokenUsage } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { account, named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { dayOf, firstOfMonth } from '../rules/usage-days.ts';
import { accountByKey, isGuide, isHouse } from '../store/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';
import { type StreamRow, turnByKey, type TurnRow } from '../store/turns.ts';
import {
  addReplyPrice,
  addToDay,
  addToGroupMonth,
  addToMonth,
  addUsage,
  addUsagePrice,
  noteStreamUsage,
} from '../store/usage.ts';
import { warnOfBudgets } from './budgets.ts';
import type { Booking } from '../replies/end-of-reply.ts';

/** The same for a request that is for no reply: its price is listed for no message. */
interface BookingBeside extends Omit<Booking, 'messageKey' | 'turnKey' | 'isReply'> {
  asked: Pick<TurnRow, 'human_key' | 'payer'>;
}

/**
 * Adds the usage to the rows of its day and its month, and the price to what the payer of the reply sees (USAGE-10,
 * PRICE-3). Warns of budgets that it nearly uses up.
 */
export async function book(
  call: Pick<UnitCall, 'tx' | 'now' | 'emit'>,
  booking: Booking | BookingBeside,
): Promise<void> {
  const { tx, now } = call;
  const { usage, price, estimatedTokens } = booking;
  const { input_tokens, output_tokens } = usage ?? { input_tokens: 0, output_tokens: 0 };
  const agent = await tx.get(accountByKey, booking.agentKey);
  const chat = await tx.get(chatByKey, booking.chatKey);
  // The guide costs nothing.
  if (!chat || !agent || agent.parent_key === null || isGuide(agent)) return;
  // Usage of a deleted owner's agents is not recorded: no account could read it (PEOPLE-9).
  if ((await tx.get(accountByKey, agent.parent_key))?.deleted_at !== null) return;
  const reply = 'asked' in booking ? null : booking;
  const turn = 'asked' in booking ? booking.asked : await turnOf(tx, booking);
  const day = dayOf(now);
  // A reply without a turn counts as fired by the agent's owner.
  const human = turn?.human_key ?? agent.parent_key;
  const tokens = input_tokens + output_tokens;
  const isOwnersKey = turn?.payer !== 'asker';
  const isGuest = turn?.payer === 'owner' && human !== agent.parent_key;
  const ownerKeyTokens = !isOwnersKey ? 0 : isGuest ? Math.max(tokens, estimatedTokens) : tokens;
  if (!usage && ownerKeyTokens === 0) return;
  const replies = Number(usage !== undefined && reply?.isReply === true);
  const place = [agent.parent_key, agent.key, human, chat.id, day] as const;
  await tx.run(addUsage, ...place, input_tokens, output_tokens, replies, ownerKeyTokens);
  if (tokens > 0) await tx.run(addToMonth, agent.key, firstOfMonth(day), tokens);
  if (ownerKeyTokens > 0 && chat.kind === 'group')
    await tx.run(addToGroupMonth, agent.key, chat.key, firstOfMonth(day), ownerKeyTokens);
  if (ownerKeyTokens > 0 && isHouse(agent)) await tx.run(addToDay, agent.key, day, ownerKeyTokens);
  if (price) {
    const { currency, micros } = price;
    const payer = isOwnersKey ? agent.parent_key : human;
    // Nothing is recorded for an asker who was deleted meanwhile (PEOPLE-9).
    if (reply && (await tx.get(accountByKey, payer))?.deleted_at === null)
      await tx.run(addReplyPrice, payer, reply.messageKey, currency, micros);
    if (isOwnersKey) await tx.run(addUsagePrice, ...place, currency, micros);
  }
  const isDaemons = agent.agent_provider === null;
  await warnOfBudgets(call, { agent, humanKey: human, chat, isOwnersKey, isDaemons });
}

const turnOf = async (tx: Sql, { turnKey }: Booking): Promise<TurnRow | undefined> =>
  turnKey === null ? undefined : tx.get(turnByKey, turnKey);

/** Books the usage of a request that `closeStream` does not book: it was retried, or its reply was deleted. */
export const bookUsage = internalUnit(
  {
    // Serializes the bookings of an agent, because they all add to the agent's row of the month, and the booking of a
    // request with the checkpoints of its reply, which note the usage of the next one.
    locks: ({ input }) => [account(input.agentKey), named(`stream ${input.messageKey}`)],
  },
  async (call: UnitCall, booking: Booking): Promise<void> => {
    await book(call, booking);
    await call.tx.run(noteStreamUsage, booking.messageKey, null, null, null, null);
  },
);

/** The usage in the stored row of an open reply; undefined if it has none. */
export const notedUsage = ({ input_tokens, output_tokens }: StreamRow): TokenUsage | undefined =>
  input_tokens === null || output_tokens === null ? undefined : { input_tokens, output_tokens };

/** The price of the usage in the stored row of an open reply. */
export const notedPrice = ({ currency, micros }: StreamRow): Price | undefined =>
  currency === null || micros === null ? undefined : { currency, micros };
