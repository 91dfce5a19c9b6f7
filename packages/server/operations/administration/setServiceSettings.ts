import type { ServiceSettings } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { serviceSettings, storeServiceSettings } from '../../people/service-settings.ts';
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
  async ({ tx }, changes) => {
    const former = await serviceSettings(tx);
    await storeServiceSettings(tx, changes);
    const settings = await serviceSettings(tx);
    return { settings, isChanged: settings.who_invites !== former.who_invites };
  },
  (_call, { settings }) => settings,
);
