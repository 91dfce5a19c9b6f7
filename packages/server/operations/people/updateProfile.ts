import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { givenAvatar } from '../../files/avatars.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { accountByKey, accountRecord, type AccountRow, agentsOf } from '../../store/accounts.ts';
import { accountChanged } from '../../people/announce-account.ts';
import { changeProfile } from '../../people/change-profile.ts';
import { nameOfDefaultAgent } from '../../people/make-human.ts';

export default preparedUnit('updateProfile', {
  prepare: ({ caller }, { avatar_file_id: fileId }, { files }: Needs<'files'>) => givenAvatar(files, caller, fileId),
  locks: everything,
  async handle(call, { display_name: displayName, bio }, avatar) {
    const account = await requireOwn(call);
    const hasNewName = displayName !== undefined && displayName !== account.display_name;
    if (hasNewName && isReservedName(displayName)) throw invalid('display_name', RESERVED);
    const isChanged = await changeProfile(call, account, { displayName, bio, avatar });
    if (hasNewName) await renameAgents(call, account, displayName);
    // A call that changes nothing emits no event (PEOPLE-2).
    if (isChanged) await accountChanged(call, account.key);
    return accountRecord(await requireOwn(call));
  },
});

async function requireOwn({ tx, caller }: UnitCall): Promise<AccountRow> {
  const account = await tx.get(accountByKey, caller.key);
  // The account may have been deleted while this call waited.
  if (!account || account.deleted_at !== null) throw notFound('account');
  return account;
}

/** Renames the default agents, whose names contain the person's, unless the person has renamed them (PEOPLE-4). */
async function renameAgents(call: UnitCall, person: AccountRow, displayName: string): Promise<void> {
  for (const agent of await call.tx.all(agentsOf, person.key)) {
    if (agent.display_name !== nameOfDefaultAgent(agent, person.display_name)) continue;
    await changeProfile(call, agent, { displayName: nameOfDefaultAgent(agent, displayName) });
    await accountChanged(call, agent.key);
  }
}
