import { serviceSettings } from '../../people/service-settings.ts';
import { recoveryCodesLeft, requireSessionOfPerson } from '../../people/second-factor.ts';
import { isFactorRequired } from '../../rules/factor-requirement.ts';
import { secondFactorOf } from '../../store/second-factors.ts';
import { read } from '../handler.ts';

export default read('getSecondFactor', async ({ tx, caller }) => {
  const { key, role } = requireSessionOfPerson({ caller });
  const since = (await tx.get(secondFactorOf, key))?.confirmed_at ?? null;
  return {
    on: since !== null,
    ...(since !== null && { since: new Date(since).toISOString() }),
    recovery_codes_left: await recoveryCodesLeft(tx, key),
    required: isFactorRequired((await serviceSettings(tx)).second_factor, role),
  };
});
