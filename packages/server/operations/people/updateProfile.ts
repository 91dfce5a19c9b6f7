import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { givenAvatar } from '../../files/avatars.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { accountByKey, type AccountRow } from '../../store/accounts.ts';
import { accountRecord } from '../../rendering/accounts.ts';
import { changePerson } from '../../people/change-person.ts';

export default preparedUnit('updateProfile', {
  prepare: ({ caller }, { avatar_file_id: fileId }, { files }: Needs<'files'>) => givenAvatar(files, caller, fileId),
  locks: everything,
  async handle(call, { display_name: displayName, bio }, avatar) {
    const account = await requireOwn(call);
    const hasNewName = displayName !== undefined && displayName !== account.display_name;
    if (hasNewName && isReservedName(displayName)) throw invalid('display_name', RESERVED);
    await changePerson(call, account, { displayName, bio, avatar });
    return accountRecord(await requireOwn(call));
  },
});

async function requireOwn({ tx, caller }: UnitCall): Promise<AccountRow> {
  const account = await tx.get(accountByKey, caller.key);
  // The account may have been deleted while this call waited.
  if (!account || account.deleted_at !== null) throw notFound('account');
  return account;
}
