import type { ServiceSettings } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { serviceSettings, storeServiceSettings } from '../../people/service-settings.ts';
import { endSessionsWithoutFactor, requireOwnFactor } from '../../people/require-factor.ts';
import { unitThen } from '../handler.ts';

interface Stored {
  settings: ServiceSettings;
  isChanged: boolean;
}

export default unitThen<'setServiceSettings', Stored>(
  'setServiceSettings',
  {
    locks: everything,
    addsData: false,
    audit: (changes, { isChanged }) => (isChanged ? { details: { ...changes } } : null),
  },
  async (call, changes) => {
    const { tx } = call;
    const former = await serviceSettings(tx);
    const isFactorChanged = changes.second_factor !== undefined && changes.second_factor !== former.second_factor;
    if (isFactorChanged) await requireOwnFactor(call, changes.second_factor);
    await storeServiceSettings(tx, changes);
    const settings = await serviceSettings(tx);
    if (isFactorChanged) await endSessionsWithoutFactor(call, settings.second_factor);
    return { settings, isChanged: isFactorChanged || settings.who_invites !== former.who_invites };
  },
  (_call, { settings }) => settings,
);
