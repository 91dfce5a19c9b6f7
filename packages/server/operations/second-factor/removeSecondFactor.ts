import { ofCaller } from '../../commits/unit-locks.ts';
import { conflict } from '../../core/errors.ts';
import { roleNow } from '../../people/administer.ts';
import { provePassword } from '../../people/prove-password.ts';
import { dropFactor, proveOwnFactor, takeFactor } from '../../people/second-factor.ts';
import { serviceSettings } from '../../people/service-settings.ts';
import { isFactorRequired } from '../../rules/factor-requirement.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default preparedUnit('removeSecondFactor', {
  addsData: false,
  withheld: ['password', 'code'],
  async prepare(call, { password, code }, rooms: Needs<'read' | 'clock' | 'passwordTries' | 'keys'>) {
    await provePassword(rooms, call, password);
    return { factor: await proveOwnFactor(rooms, call, code) };
  },
  locks: ofCaller,
  audit: (_input, _result, { username: target }) => ({ target }),
  async handle(call, _input, { factor }) {
    const { tx, caller } = call;
    if (isFactorRequired((await serviceSettings(tx)).second_factor, await roleNow(call)))
      throw conflict('this service requires a second factor of you');
    await takeFactor(tx, caller.key, factor);
    await dropFactor(tx, caller.key);
  },
});
