import type { AccountRole } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';

/** Gives a person a role in the service, from its next call on. */
export const withRole = async (world: World, { username }: Actor, role: AccountRole): Promise<void> => {
  await world.sql('UPDATE accounts SET role = $1 WHERE username = $2', role, username);
};
