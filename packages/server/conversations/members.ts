import type { Call } from '../access/call.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import { accountByName, type AccountRow, accountsByNames, isService, isWebhook } from '../store/accounts.ts';
import { noteLeft } from '../store/backends.ts';
import { hasBlocked } from '../store/blocks.ts';
import { agentParticipants, participant, type ParticipantRow, participantsOf } from '../store/chats.ts';
import { knownOf } from '../access/known-agents.ts';
import { removeParticipant } from './remove-participant.ts';

/**
 * The accounts with these usernames, except `except`, each once; 404 for an unknown username, and for one that waits for
 * approval (ENTER-6).
 */
export async function requireAccounts(
  call: Pick<Call, 'tx' | 'caller'>,
  usernames: readonly string[],
  except: string,
): Promise<AccountRow[]> {
  const names = [...new Set(usernames)].filter((name) => name !== except);
  const rows = (await knownOf(call, await call.tx.list(accountsByNames, names))).filter((row) => row.pending === 0);
  if (rows.length < names.length) throw notFound('account');
  if (rows.some(isService))
    throw invalid('usernames', 'contains the account of the service itself, which takes no messages');
  const webhook = rows.find(isWebhook);
  if (webhook) throw invalid('usernames', `contains the webhook ${webhook.username}, which is in its group only`);
  return rows.toSorted((a, b) => a.key - b.key);
}

/** The accounts that have not blocked the caller; the others are left out without an error (BLOCK-5). */
export async function withoutBlockers(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  accounts: readonly AccountRow[],
): Promise<AccountRow[]> {
  const willing: AccountRow[] = [];
  for (const account of accounts) if (!(await hasBlocked(tx, account.key, caller.key))) willing.push(account);
  return willing;
}

/** The participant with this username, or 404. */
export async function requireMember(
  { tx }: Pick<Call, 'tx'>,
  chatKey: number,
  username: string,
): Promise<ParticipantRow> {
  const account = await tx.get(accountByName, username);
  const row = account && (await tx.get(participant, chatKey, account.key));
  if (!row) throw notFound('member');
  return row;
}

/** Refuses a group larger than the limit, which counts agents too (GROUP-3). */
export function assertRoom({ settings }: Pick<Call, 'settings'>, participants: number, field: string): void {
  if (participants > settings.groupMembers)
    throw invalid(field, `would make the group larger than ${settings.groupMembers} members`);
}

/** Removes a person with their agents from a group (GROUP-8). An owner must pass ownership on before (GROUP-7). */
export async function takeOut(
  call: UnitCall,
  chat: { key: number },
  leaving: Pick<ParticipantRow, 'account_key' | 'kind' | 'role'>,
): Promise<void> {
  const { account_key: key, kind, role } = leaving;
  if (role === 'owner') {
    const others = (await call.tx.all(participantsOf, chat.key)).filter((row) => row.account_key !== key);
    if (others.some((row) => row.kind === 'human')) throw conflict('pass ownership to another member first');
  }
  const agents = await call.tx.all(agentParticipants, chat.key);
  for (const agent of agents)
    if (agent.parent_key === key) await removeParticipant(call, chat, { key: agent.account_key, kind: 'agent' });
  await removeParticipant(call, chat, { key, kind });
  // No JWT from before adds the person again (TOKEN-16).
  await call.tx.run(noteLeft, key, call.now);
}
