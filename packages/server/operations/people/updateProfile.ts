import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { makeAvatar, setAvatar } from '../../files/avatars.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import {
  accountByKey,
  accountRecord,
  type AccountRow,
  agentsOf,
  searchName,
  setAvatarUrl,
  setBio,
  setDisplayName,
} from '../../store/accounts.ts';
import { accountChanged } from '../../people/announce-account.ts';
import { nameOfProviderAgent } from '../../people/make-human.ts';

export default preparedUnit('updateProfile', {
  prepare({ caller }, { avatar_file_id: fileId }, { files }: Needs<'files'>) {
    // Null removes the avatar, undefined keeps it.
    return typeof fileId === 'string' && caller ? makeAvatar(files, caller, fileId) : null;
  },
  locks: everything,
  async handle(call, { display_name, bio, avatar_file_id: fileId }, avatar) {
    const { tx, caller } = call;
    const account = await requireOwn(call);
    const hasNewName = display_name !== undefined && display_name !== account.display_name;
    if (hasNewName && isReservedName(display_name)) throw invalid('display_name', RESERVED);
    if (hasNewName) await rename(call, account, display_name);
    const newBio = bio === '' ? null : bio;
    const hasNewBio = newBio !== undefined && newBio !== account.bio;
    if (hasNewBio) await tx.run(setBio, caller.key, newBio);
    const hasNewAvatar = fileId !== undefined && (avatar !== null || account.avatar_url !== null);
    if (hasNewAvatar) await tx.run(setAvatarUrl, caller.key, await setAvatar(call, caller.key, avatar));
    // A call that changes nothing emits no event (PEOPLE-2).
    if (hasNewName || hasNewBio || hasNewAvatar) await accountChanged(call, caller.key);
    return accountRecord(await requireOwn(call));
  },
});

async function requireOwn({ tx, caller }: UnitCall): Promise<AccountRow> {
  const account = await tx.get(accountByKey, caller.key);
  // The account may have been deleted while this call waited.
  if (!account || account.deleted_at !== null) throw notFound('account');
  return account;
}

/** Renames the person, and the provider agents, whose names contain the person's (PEOPLE-4). */
async function rename(call: UnitCall, { key }: AccountRow, displayName: string): Promise<void> {
  const { tx } = call;
  await tx.run(setDisplayName, key, displayName, searchName(displayName));
  for (const agent of await tx.all(agentsOf, key)) {
    const name = nameOfProviderAgent(agent.agent_provider, displayName);
    if (name === undefined) continue;
    await tx.run(setDisplayName, agent.key, name, searchName(name));
    await accountChanged(call, agent.key);
  }
}
