import { ofCaller } from '../../commits/unit-locks.ts';
import { conflict } from '../../core/errors.ts';
import { provePassword } from '../../people/prove-password.ts';
import { requireSessionOfPerson } from '../../people/second-factor.ts';
import { factorBinding } from '../../secrets/seal.ts';
import { newTotpSecret, totpUrl } from '../../secrets/totp.ts';
import { beginSecondFactor } from '../../store/second-factors.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

const SERVICE = 'Parley';

/** The secret does not count before its first code was right, so that nobody is locked out by an app without it (FACTOR-1). */
export default preparedUnit('startSecondFactor', {
  withheld: ['password'],
  async prepare(call, { password }, rooms: Needs<'read' | 'clock' | 'passwordTries' | 'keys' | 'config'>) {
    const { key, username } = requireSessionOfPerson(call);
    await provePassword(rooms, call, password);
    const secret = newTotpSecret();
    const issuer = rooms.config.publicUrl?.hostname ?? SERVICE;
    return { secret, url: totpUrl(secret, issuer, username), sealed: rooms.keys.seal(secret, factorBinding(key)) };
  },
  locks: ofCaller,
  async handle({ tx, caller, now }, _input, { secret, url, sealed }) {
    if ((await tx.run(beginSecondFactor, caller.key, sealed, now)) === 0)
      throw conflict('a second factor is on already: remove it first');
    return { secret, url };
  },
});
