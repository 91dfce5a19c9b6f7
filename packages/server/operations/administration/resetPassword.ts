import { everything } from '../../commits/unit-locks.ts';
import { passwordUrl } from '../../conversations/secret-urls.ts';
import { forbidden } from '../../core/errors.ts';
import { requireBelow } from '../../people/administer.ts';
import { newToken } from '../../secrets/tokens.ts';
import { backendOfUser, putPasswordLink } from '../../store/account-roles.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** How long a link for a new password works. */
const LINK_MS = 86_400_000;

export default preparedUnit('resetPassword', {
  addsData: false,
  prepare(_call, _input, { config }: Needs<'config'>) {
    const { token, hash } = newToken('p_');
    return { hash, link: passwordUrl(config.publicUrl, token) };
  },
  locks: everything,
  audit: ({ username }) => ({ target: username }),
  async handle(call, { username }, { hash, link }) {
    const account = await requireBelow(call, username);
    if (await call.tx.get(backendOfUser, account.key)) throw forbidden('the users of a backend have no password');
    await call.tx.run(putPasswordLink, account.key, call.caller.key, hash, call.now + LINK_MS);
    return { link };
  },
});
