// Decides when an agent's owner's key pays for other people. Every claim of a turn uses it, and so does every unit that
// can end this permission (end-unpaid-turns.ts; KEY-10, KEY-13).
import type { Claim } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { termsOf } from '../rules/owner-key-terms.ts';
import { type AccountRow, isGuide, isHouse } from '../store/accounts.ts';
import { hasBlocked } from '../store/blocks.ts';
import { ownerConfig } from '../store/bot-config.ts';
import { chatByKey, type ParticipantRow, sharedPrivateGroup } from '../store/chats.ts';
import { hasOwnSecret } from '../store/secrets.ts';
import type { Sql } from '../store/sql.ts';
import type { TurnRow } from '../store/turns.ts';
import { ownersKeyPays, payerFor, type Payer, type PayingFacts } from '../rules/who-pays.ts';
import { askBudgets } from './budgets.ts';
import { hasOwnersKey, type ModelAgent } from './model-server.ts';
import { hasRoomToReply } from '../files/storage-quota.ts';

/** The owner's username, with which an agent's username begins. */
export const ownerName = (username: string): string => username.slice(0, username.indexOf(':'));

type Agent = Pick<AccountRow, 'key' | 'username' | 'parent_key' | 'agent_provider'>;

/** Who asks for what, as far as the claim depends on it. */
type Asked = Pick<TurnRow, 'human_key' | 'chat_key'>;

/**
 * Decides at the moment of the claim whose key a turn runs with (KEY-10). 'full': it must wait until another reply of
 * the agent has ended, because those that run may use up a budget (BUDGET-7). `beside`: see `askBudgets`.
 */
export async function claimOf(
  call: Pick<UnitCall, 'tx' | 'now' | 'settings'>,
  agent: Agent,
  { human_key: humanKey, chat_key }: Asked,
  beside = 0,
): Promise<Claim | 'full'> {
  const { tx } = call;
  // The guide needs no key.
  if (agent.parent_key === null || isGuide(agent)) return { payer: null, refused: null };
  const payer = await payerOf(tx, agent, humanKey);
  const chat = await tx.get(chatByKey, chat_key);
  if (!chat) throw new Error('a turn has its conversation');
  const reply = { agent, humanKey, chat, isOwnersKey: payer === 'owner', isDaemons: false };
  const { refused, mustWait } = await askBudgets(call, reply, beside);
  if (refused) return { payer, refused };
  // What the house's agent writes is stored for those who ask it, whom their own quota limits.
  if (!isHouse(agent) && !(await hasRoomToReply(call, agent.parent_key))) return { payer, refused: 'storage_full' };
  if (payer === null) return { payer, refused: isHouse(agent) ? 'house_is_off' : 'own_key_needed' };
  return mustWait ? 'full' : { payer, refused: null };
}

/**
 * Who would pay for an agent's reply to a human, as far as that is known before the claim (PREVIEW-3). Of keys it tells
 * only what the reply would show too: whether there is one that may be used.
 */
export async function payingFor(
  tx: Sql,
  agent: Pick<ParticipantRow, 'account_key' | 'username' | 'parent_key' | 'agent_provider'>,
  human: { key: number; username: string },
): Promise<{ payer: string | null; needs_key?: true }> {
  const { account_key: key, parent_key, agent_provider } = agent;
  if (parent_key === null || isGuide(agent)) return { payer: null };
  const owner = ownerName(agent.username);
  if (agent_provider === null) return { payer: owner };
  const payer = await payerOf(tx, { key, username: agent.username, parent_key, agent_provider }, human.key);
  if (payer === 'asker') return { payer: human.username };
  const hasKey =
    payer === 'owner' &&
    ((await ownerCanPay(tx, { key, parent_key, username: agent.username, agent_provider })) ||
      (human.key === parent_key && (await tx.get(hasOwnSecret, key, parent_key, 'api_key')) !== undefined));
  return hasKey ? { payer: owner } : { payer: null, needs_key: true };
}

export async function payerOf(tx: Sql, agent: Agent, humanKey: number): Promise<Payer | null> {
  const facts = await payingFacts(tx, agent, humanKey);
  const hasOwnKey = !facts.isOwner && (await tx.get(hasOwnSecret, agent.key, humanKey, 'api_key')) !== undefined;
  return payerFor({ ...facts, hasOwnKey });
}

/** Whether the owner has a key that the agent uses, or a server of the agent's own, which may need none (CUSTOM-10). */
async function ownerCanPay(tx: Sql, agent: ModelAgent): Promise<boolean> {
  const baseUrl = (await tx.get(ownerConfig, agent.key))?.base_url ?? null;
  return baseUrl !== null || hasOwnersKey(tx, agent, baseUrl);
}

export const ownerPays = async (tx: Sql, agent: Agent, humanKey: number): Promise<boolean> =>
  ownersKeyPays(await payingFacts(tx, agent, humanKey));

async function payingFacts(tx: Sql, agent: Agent, humanKey: number): Promise<Omit<PayingFacts, 'hasOwnKey'>> {
  const { key, parent_key } = agent;
  if (parent_key === humanKey) return { isOwner: true, isBlocked: false, paysFor: 'nobody', sharesGroup: false };
  return {
    isOwner: false,
    isBlocked: parent_key === null || (await hasBlocked(tx, parent_key, humanKey)),
    paysFor: termsOf(await tx.get(ownerConfig, key)).paysFor,
    sharesGroup: (await tx.get(sharedPrivateGroup, key, humanKey)) !== undefined,
  };
}
