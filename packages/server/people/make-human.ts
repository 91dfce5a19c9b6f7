// people/: accounts, sessions, passwords. Imports conversations and below.
import type { UnitCall } from '../commits/unit-call.ts';
import { type AccountRow, addAccount, isDefaultAgent } from '../store/accounts.ts';

const providers = [
  ['provider_a', 'Claude'],
  ['provider_b', 'GPT'],
] as const;

/** The first display name of a default agent, which contains its owner's; undefined for other agents. */
export function nameOfDefaultAgent(agent: AccountRow, displayName: string): string | undefined {
  const [, name] = (isDefaultAgent(agent) && providers.find(([known]) => known === agent.agent_provider)) || [];
  return name && `${name} of ${displayName}`;
}

/** Creates a human account and its two agents (ACCT-3). Returns its key, or null if the username is taken. */
export async function makeHuman(
  call: Pick<UnitCall, 'tx' | 'now'>,
  { username, displayName, passwordHash }: { username: string; displayName: string; passwordHash: string | null },
): Promise<number | null> {
  const key = await addAccount(call, { username, kind: 'human', displayName, passwordHash });
  if (key === null) return null;
  for (const [provider, name] of providers)
    await addAccount(call, {
      username: `${username}:${provider}`,
      kind: 'agent',
      displayName: `${name} of ${displayName}`,
      parentKey: key,
      provider,
    });
  return key;
}
