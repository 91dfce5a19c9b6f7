// people/: accounts, sessions, passwords. Imports conversations and below.
import type { UnitCall } from '../commits/unit-call.ts';
import { addAccount } from '../store/accounts.ts';

const providers = [
  ['provider_a', 'Claude'],
  ['provider_b', 'GPT'],
] as const;

/** What the agent of a provider is called that belongs to somebody of this name; undefined for other agents. */
export function nameOfProviderAgent(provider: string | null, displayName: string): string | undefined {
  const [, name] = providers.find(([known]) => known === provider) ?? [];
  return name && `${name} of ${displayName}`;
}

/** Makes a human account and its two agents (ACCT-3). Answers its key, or null when the name is taken. */
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
