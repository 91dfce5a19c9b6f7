import type { UnitCall } from '../commits/unit-call.ts';
import { type AccountRow, agentsOf } from '../store/accounts.ts';
import { accountChanged } from './announce-account.ts';
import { changeProfile, type ProfileChange } from './change-profile.ts';
import { nameOfDefaultAgent } from './make-human.ts';

/** Changes an account's profile and announces it; a change that leaves everything as it was emits no event (PEOPLE-2). */
export async function changePerson(call: UnitCall, account: AccountRow, change: ProfileChange): Promise<void> {
  const { displayName } = change;
  const isChanged = await changeProfile(call, account, change);
  if (displayName !== undefined && displayName !== account.display_name) await renameAgents(call, account, displayName);
  if (isChanged) await accountChanged(call, account.key);
}

/** Renames the default agents, whose names contain the person's, unless the person has renamed them (PEOPLE-4). */
async function renameAgents(call: UnitCall, person: AccountRow, displayName: string): Promise<void> {
  for (const agent of await call.tx.all(agentsOf, person.key)) {
    if (agent.display_name !== nameOfDefaultAgent(agent, person.display_name)) continue;
    await changeProfile(call, agent, { displayName: nameOfDefaultAgent(agent, displayName) });
    await accountChanged(call, agent.key);
  }
}
