import type { ServiceSettings } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { conflict, forbidden } from '../core/errors.ts';
import { isFactorRequired } from '../rules/factor-requirement.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import { peopleWithoutFactor } from '../store/second-factors.ts';
import { endAllSessions } from './disable-account.ts';
import { hasFactor } from './second-factor.ts';
import { serviceSettings } from './service-settings.ts';

type Required = ServiceSettings['second_factor'];

/** Only an owner decides who needs a second factor, and one with a password only after setting up its own (FACTOR-6). */
export async function requireOwnFactor({ tx, caller }: UnitCall, required: Required | undefined): Promise<void> {
  const owner = await tx.get(accountByKey, caller.key);
  if (owner?.role !== 'owner') throw forbidden('only owners decide who needs a second factor');
  if (required === 'optional' || owner.password_hash === null || (await hasFactor(tx, owner.key))) return;
  throw conflict('set up your own second factor first');
}

/**
 * Ends the sessions of those who lack what is required now: their open sockets know nothing of it. They sign in again,
 * and can do nothing else before they have set it up.
 */
export async function endSessionsWithoutFactor(call: UnitCall, required: Required): Promise<void> {
  if (required === 'optional') return;
  for (const account of await call.tx.all(peopleWithoutFactor))
    if (isFactorRequired(required, account.role)) await endAllSessions(call, account);
}

/** The same for one account, whose role has changed. */
export async function endIfWithoutFactor(call: UnitCall, account: AccountRow): Promise<void> {
  if (await lacksFactor(call, account)) await endAllSessions(call, account);
}

/** Whether a person who signs in with a password has to set up a second factor. */
export async function lacksFactor({ tx }: Pick<UnitCall, 'tx'>, account: AccountRow): Promise<boolean> {
  if (account.password_hash === null) return false;
  const { second_factor: required } = await serviceSettings(tx);
  return isFactorRequired(required, account.role) && !(await hasFactor(tx, account.key));
}
