// people/: accounts, sessions, passwords. Imports conversations and below.
import type { AccountRole } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { isKeptName } from '../rules/names-for-all.ts';
import { type AccountRow, addAccount, isDefaultAgent } from '../store/accounts.ts';
import { userGroupByName } from '../store/user-groups.ts';

const providers = [
  ['provider_a', 'Claude'],
  ['provider_b', 'GPT'],
] as const;

/** The first display name of a default agent, which contains its owner's; undefined for other agents. */
export function nameOfDefaultAgent(agent: AccountRow, displayName: string): string | undefined {
  const [, name] = (isDefaultAgent(agent) && providers.find(([known]) => known === agent.agent_provider)) || [];
  return name && `${name} of ${displayName}`;
}

export interface NewHuman {
  username: string;
  displayName: string;
  passwordHash: string | null;
  role?: AccountRole;
  isPending?: boolean;
}

/** Creates a human account and its two agents (ACCT-3). Returns its key, or null if the username is taken. */
export async function makeHuman(call: Pick<UnitCall, 'tx' | 'now'>, human: NewHuman): Promise<number | null> {
  const { username, displayName } = human;
  // No account has the name of a group of people, or one that means something else (USERGROUP-3, AUDIT-2).
  if (isKeptName(username) || (await call.tx.get(userGroupByName, username))) return null;
  const key = await addAccount(call, { ...human, kind: 'human' });
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
