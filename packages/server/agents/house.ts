// The house's agent: everyone may talk to it, and the operator's key pays (HOUSE-1).
import type { UnitCall } from '../commits/unit-call.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import { dayOf } from '../rules/usage-days.ts';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import {
  type AccountRow,
  accountByKey,
  accountByName,
  addAccount,
  HOUSE_NAME,
  isService,
  setProvider,
  storeVisibility,
} from '../store/accounts.ts';
import { type HouseSource, ownerConfig, putHouse, putKeyTerms, putOwnerConfig } from '../store/bot-config.ts';
import { hasSecret, secretsOf } from '../store/secrets.ts';
import type { Sql } from '../store/sql.ts';
import { openTurnsOfAgent } from '../store/turns.ts';
import { usedInDay } from '../store/usage.ts';
import { ensureGuide } from './ensure-guide.ts';
import { endUnpaidTurns } from './end-unpaid-turns.ts';

const FIELD = 'api_key';

/** Maximum of an operator's budgets of tokens in a day. */
export const MAX_DAILY_TOKENS = 1_000_000_000_000;

export type HouseProvider = 'provider_a' | 'provider_b';

/** What the operator sets: null or left out keeps what is stored, or takes the default. */
export interface HouseTerms {
  provider: HouseProvider;
  model: string | null;
  /** Maximum tokens per UTC day: of each person, and of all together. */
  dailyTokens: number;
  dailyTokensOfAll: number;
}

/** A key as it is stored. */
export interface SealedKey {
  sealed: string;
  tail: string;
}

interface House {
  agentKey: number;
  ownerKey: number;
}

/**
 * Makes the account of the house's agent, which stays hidden until the agent is set, so that its key can be sealed for it.
 * Undefined if a person has the name of the service's own account (ACCT-5).
 */
export async function prepareHouse(call: UnitCall, provider: HouseProvider): Promise<House | undefined> {
  if (!(await ensureGuide(call))) return undefined;
  const service = await call.tx.get(accountByName, RESERVED_WORD);
  if (!service) return undefined;
  const known = await call.tx.get(accountByName, HOUSE_NAME);
  if (known) return { agentKey: known.key, ownerKey: service.key };
  const agentKey = await addAccount(call, {
    username: HOUSE_NAME,
    kind: 'agent',
    displayName: 'Assistant',
    parentKey: service.key,
    provider,
  });
  if (agentKey === null) throw conflict(`the username ${HOUSE_NAME} is taken`);
  await call.tx.run(storeVisibility, agentKey, 0, 1);
  return { agentKey, ownerKey: service.key };
}

/** Switches the house's agent on with these terms; without a key with the one that it has (HOUSE-2). */
export async function setHouse(
  call: UnitCall,
  { terms, key, source }: { terms: HouseTerms; key: SealedKey | null; source: HouseSource },
): Promise<void> {
  const { tx } = call;
  const agent = await requireHouse(tx);
  const place = [agent.key, ownerOf(agent), FIELD] as const;
  const keepsKey = agent.agent_provider === terms.provider && (await tx.get(hasSecret, ...place)) !== undefined;
  if (!key && !keepsKey) throw invalid('key', 'is missing: the agent has none for this provider');
  await tx.run(setProvider, agent.key, terms.provider);
  if (key) await tx.run(secretsOf.owner.put, ...place, key.sealed, key.tail, null);
  await tx.run(putOwnerConfig, agent.key, JSON.stringify(terms.model === null ? {} : { model: terms.model }), '[]');
  await tx.run(putKeyTerms, agent.key, 'everyone', null, terms.dailyTokens);
  await tx.run(putHouse, agent.key, source, terms.dailyTokensOfAll);
  await tx.run(storeVisibility, agent.key, 1, 0);
}

/** Switches it off and deletes its key; its chats stay. False if it was off (HOUSE-6). */
export async function removeHouse(call: UnitCall): Promise<boolean> {
  const { tx } = call;
  const agent = await tx.get(accountByName, HOUSE_NAME);
  if (!agent || ((await tx.get(ownerConfig, agent.key))?.house ?? null) === null) return false;
  await tx.run(secretsOf.owner.remove, agent.key, ownerOf(agent), FIELD);
  await tx.run(putKeyTerms, agent.key, 'nobody', null, null);
  await tx.run(putHouse, agent.key, null, null);
  await tx.run(storeVisibility, agent.key, 0, 1);
  await endUnpaidTurns(call, await tx.all(openTurnsOfAgent, agent.key));
  return true;
}

/** What an operator may know of the house's agent: of the key its last characters. */
export interface ShownHouse extends HouseTerms {
  source: HouseSource;
  keyTail: string;
  usedToday: number;
}

/** Undefined while it is off. */
export async function shownHouse(tx: Sql, now: number): Promise<ShownHouse | undefined> {
  const agent = await tx.get(accountByName, HOUSE_NAME);
  const row = agent && (await tx.get(ownerConfig, agent.key));
  if (!row || row.house === null) return undefined;
  const secrets = await tx.all(secretsOf.owner.of, agent.key, ownerOf(agent));
  const { model = null } = JSON.parse(row.config) as { model?: string }; // as `setHouse` has stored it
  return {
    source: row.house,
    provider: agent.agent_provider === 'provider_a' ? 'provider_a' : 'provider_b',
    model,
    dailyTokens: row.asker_daily_tokens ?? 0,
    dailyTokensOfAll: row.daily_tokens ?? 0,
    keyTail: secrets.find(({ field }) => field === FIELD)?.tail ?? '',
    usedToday: (await tx.get(usedInDay, agent.key, dayOf(now)))?.tokens ?? 0,
  };
}

async function requireHouse(tx: Sql): Promise<AccountRow> {
  const agent = await tx.get(accountByName, HOUSE_NAME);
  const owner = agent && (await tx.get(accountByKey, ownerOf(agent)));
  if (!owner || !isService(owner)) throw notFound(`agent ${HOUSE_NAME}`);
  return agent;
}

const ownerOf = ({ parent_key }: AccountRow): number => parent_key ?? 0;
