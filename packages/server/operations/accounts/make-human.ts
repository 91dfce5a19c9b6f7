import type { UnitCall } from '../../call.ts';
import { insertAccount } from '../../store/accounts.ts';

const providers = [
  ['provider_a', 'Claude'],
  ['provider_b', 'GPT'],
] as const;

/** Makes a human account and its two agents (ACCT-3). Answers its key, or null when the name is taken. */
export async function makeHuman(
  { tx, now }: Pick<UnitCall, 'tx' | 'now'>,
  { username, displayName, passwordHash }: { username: string; displayName: string; passwordHash: string | null },
): Promise<number | null> {
  const made = await tx.get(insertAccount, username, 'human', displayName, null, null, 0, passwordHash, now);
  if (!made) return null;
  for (const [provider, name] of providers)
    await tx.get(insertAccount, `${username}:${provider}`, 'agent', `${name} of ${displayName}`, made.key, provider, 0, null, now);
  return made.key;
}
