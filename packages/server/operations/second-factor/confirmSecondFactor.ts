import { msSince } from '@parley/protocol/dates';
import { ofCaller } from '../../commits/unit-locks.ts';
import { conflict } from '../../core/errors.ts';
import {
  newRecoveryCodes,
  proveCode,
  requireSessionOfPerson,
  secretOf,
  storeRecoveryCodes,
  tryOfSession,
} from '../../people/second-factor.ts';
import { stepOfCode } from '../../secrets/totp.ts';
import { confirmSecondFactor, secondFactorOf } from '../../store/second-factors.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** How long a secret waits for its first code. */
const WAITING_MS = 600_000;

const notBegun = () => conflict('no second factor waits for its first code: start again');

export default preparedUnit('confirmSecondFactor', {
  withheld: ['code'],
  async prepare(call, { code }, rooms: Needs<'read' | 'clock' | 'passwordTries' | 'keys'>) {
    const caller = requireSessionOfPerson(call);
    const row = await rooms.read.get(secondFactorOf, caller.key);
    const now = rooms.clock.now();
    if (!row || row.confirmed_at !== null || Math.abs(msSince(row.created_at, now)) > WAITING_MS) throw notBegun();
    const attempt = await tryOfSession(rooms.read, caller, call.address);
    const step = await proveCode(rooms, attempt, async () => stepOfCode(secretOf(rooms, row), code.trim(), now));
    return { sealed: row.sealed, step, codes: newRecoveryCodes() };
  },
  locks: ofCaller,
  audit: (_input, _result, { username: target }) => ({ target }),
  async handle({ tx, caller, now }, _input, { sealed, step, codes }) {
    if ((await tx.run(confirmSecondFactor, caller.key, sealed, now, step)) === 0) throw notBegun();
    await storeRecoveryCodes(tx, caller.key, codes);
    return { recovery_codes: codes };
  },
});
