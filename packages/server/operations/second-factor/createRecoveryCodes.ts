import { ofCaller } from '../../commits/unit-locks.ts';
import { newRecoveryCodes, proveOwnFactor, storeRecoveryCodes, takeFactor } from '../../people/second-factor.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default preparedUnit('createRecoveryCodes', {
  withheld: ['code'],
  async prepare(call, { code }, rooms: Needs<'read' | 'clock' | 'passwordTries' | 'keys'>) {
    return { factor: await proveOwnFactor(rooms, call, code), codes: newRecoveryCodes() };
  },
  locks: ofCaller,
  audit: (_input, _result, { username: target }) => ({ target }),
  async handle({ tx, caller }, _input, { factor, codes }) {
    await takeFactor(tx, caller.key, factor);
    await storeRecoveryCodes(tx, caller.key, codes);
    return { recovery_codes: codes };
  },
});
