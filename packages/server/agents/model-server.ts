import { invalid } from '../core/errors.ts';
import { admitted } from '../outbound/endpoint-guard.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { type AccountRow, defaultAgent, isDefaultAgent } from '../store/accounts.ts';
import { hasSecret } from '../store/secrets.ts';
import type { Sql } from '../store/sql.ts';

/** The origin of an agent's own server; null for the provider's. Keys for one origin are sent to no other (CUSTOM-9). */
export const originOf = (baseUrl: string | null): string | null => (baseUrl === null ? null : new URL(baseUrl).origin);

/**
 * An agent's own server as people know it; undefined for the provider's. That is its host, with a port that is not the
 * usual one, and with `http://` before it where nothing is encrypted: each origin has its own name (CUSTOM-9).
 */
export function serverOf(baseUrl: string | null): string | undefined {
  if (baseUrl === null) return undefined;
  const { protocol, host, origin } = new URL(baseUrl);
  return protocol === 'https:' ? host : origin;
}

/**
 * Checks a `base_url` that a caller gave, and returns it without a final slash; null if it is blank (CUSTOM-8). Errors
 * do not repeat it, because it may contain a password.
 */
export function cleanBaseUrl(given: string, servers: Pick<GuardedFetch, 'check'>): string | null {
  const text = given.trim();
  if (text === '') return null;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('base_url', 'must be an http or https URL');
  admitted('base_url', () => servers.check(url));
  // The path of each request is appended.
  if (/[?#]/.test(text)) throw invalid('base_url', 'must have no query and no fragment');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export type ModelAgent = Pick<AccountRow, 'key' | 'parent_key' | 'username' | 'agent_provider'>;

/**
 * The agents whose key of the owner this agent uses: the first that has one. On the provider's server that is the agent
 * itself, then its owner's default agent of that provider; on a server of its own only itself (CUSTOM-7, CUSTOM-9).
 */
export async function keyHolders(tx: Sql, agent: ModelAgent, baseUrl: string | null): Promise<number[]> {
  const { key, parent_key, agent_provider } = agent;
  if (baseUrl !== null || parent_key === null || agent_provider === null || isDefaultAgent(agent)) return [key];
  const fallback = await tx.get(defaultAgent, parent_key, agent_provider);
  return fallback ? [key, fallback.key] : [key];
}

/** Whether the owner has a key that an agent uses (CUSTOM-7). */
export async function hasOwnersKey(tx: Sql, agent: ModelAgent, baseUrl: string | null): Promise<boolean> {
  if (agent.parent_key === null) return false;
  for (const holder of await keyHolders(tx, agent, baseUrl))
    if (await tx.get(hasSecret, holder, agent.parent_key, 'api_key')) return true;
  return false;
}
