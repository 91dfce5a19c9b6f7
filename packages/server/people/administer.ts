// What administrators do with accounts of others (ROLE-5 …).
import { type AccountRole, isAtLeast } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { requireAccount } from '../access/known-agents.ts';
import { conflict, forbidden, invalid } from '../core/errors.ts';
import { disableAccount } from './disable-account.ts';
import { endIfWithoutFactor } from './require-factor.ts';
import { mayAdminister } from '../rules/account-roles.ts';
import { accountByKey, type AccountRow, agentsOf, isService } from '../store/accounts.ts';
import { backendOfUser, countOwners, dropPasswordLinkOf, setAccountRole } from '../store/account-roles.ts';

/** The caller's role at this moment: it may have changed since the call was authenticated. */
export async function roleNow({ tx, caller }: Pick<UnitCall, 'tx' | 'caller'>): Promise<AccountRole> {
  return (await tx.get(accountByKey, caller.key))?.role ?? 'guest';
}

/** 403 if the caller has lost the role with which the call was admitted. */
export async function requireRole(call: Pick<UnitCall, 'tx' | 'caller'>, least: AccountRole): Promise<AccountRole> {
  const role = await roleNow(call);
  if (!isAtLeast(role, least)) throw forbidden(`only for the role ${least} and above`);
  return role;
}

/** The person with this username; 404 if there is none, 400 for an account that nobody signs in to. */
export async function requirePersonNamed(call: Pick<UnitCall, 'tx' | 'caller'>, username: string): Promise<AccountRow> {
  const account = await requireAccount(call, username);
  if (account.kind !== 'human') throw invalid('username', 'is an agent, which has no role; name its owner');
  if (isService(account)) throw invalid('username', 'is the account of the service itself');
  return account;
}

/** The person, if the caller may change its account (ROLE-6). */
export async function requireBelow(call: Pick<UnitCall, 'tx' | 'caller'>, username: string): Promise<AccountRow> {
  const account = await requirePersonNamed(call, username);
  if (!mayAdminister(await roleNow(call), account.role)) throw forbidden('only of people whose role is below yours');
  return account;
}

/**
 * Refuses to take its last owner from the service (ROLE-7); the operator's shell may. The unit locks everything, so that two owners cannot go at the
 * same moment.
 */
export async function requireAnotherOwner({ tx }: Pick<UnitCall, 'tx'>, account: AccountRow): Promise<void> {
  if (account.role !== 'owner' || account.disabled_at !== null || account.pending === 1) return;
  if (((await tx.get(countOwners))?.count ?? 0) <= 1)
    throw conflict('this is the last owner of the service: make somebody else an owner first');
}

/** Disables a person as an administrator, unless it is disabled; returns whether this changes anything (ROLE-6, ROLE-7). */
export async function disablePerson(call: UnitCall, username: string): Promise<boolean> {
  const account = await requireBelow(call, username);
  if (account.disabled_at !== null) return false;
  await requireAnotherOwner(call, account);
  await disableAccount(call, account);
  return true;
}

/** Sets a person's role, also in its open sockets and those of its bots (ROLE-4). Returns whether it was another. */
export async function changeRole(call: UnitCall, account: AccountRow, role: AccountRole): Promise<boolean> {
  const { tx } = call;
  if (account.role === role) return false;
  if (role !== 'member' && (await tx.get(backendOfUser, account.key)))
    throw invalid('username', 'is a user of a backend, which is always a member');
  await tx.run(setAccountRole, account.key, role);
  await endIfWithoutFactor(call, { ...account, role });
  // It was made for the person with the former role (ENTER-9).
  await tx.run(dropPasswordLinkOf, account.key);
  call.intend({ type: 'roleChanged', accountKey: account.key, role });
  for (const agent of await tx.all(agentsOf, account.key))
    call.intend({ type: 'roleChanged', accountKey: agent.key, role: agent.role });
  return true;
}
