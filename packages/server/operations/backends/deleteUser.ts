import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { findUser, requireBackend } from '../../people/backend-users.ts';
import { buryPerson } from '../../people/bury-person.ts';
import { tokenHash } from '../../secrets/tokens.ts';

/** Deletes the account of a backend's user, who has no password for deleteAccount (TOKEN-10). */
export default preparedUnit('deleteUser', {
  addsData: false,
  withheld: ['backend_key'],
  async prepare({ tx }, { backend_key: key }) {
    const keyHash = tokenHash(key);
    await requireBackend(tx, keyHash);
    return { keyHash };
  },
  locks: everything,
  async handle(call, { external_id: externalId }, { keyHash }) {
    const user = await findUser(call.tx, await requireBackend(call.tx, keyHash), externalId);
    if (!user) throw notFound('user');
    await buryPerson(call, user);
  },
});
