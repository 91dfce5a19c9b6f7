import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Closers } from '../core/opening.ts';
import type { KeyRing } from '../secrets/seal.ts';
import { PushDelivery, type PushNeeds } from './delivery.ts';
import { openVapid, type VapidNeeds } from './made-vapid.ts';
import type { pushUnits } from './push-units.ts';

interface RoomsAbove extends Omit<PushNeeds, 'units'> {
  config: PushNeeds['config'] & VapidNeeds['config'];
  keys: KeyRing;
  units: Pick<UnitCallers<typeof pushUnits>, 'dropPushToken' | 'keepVapidKey' | 'settlePushes'>;
}

export async function openPush(above: RoomsAbove, opened: Closers): Promise<PushDelivery> {
  const { config, clock, random, logger, keys, read, units, heardAt, isElsewhere, isSure } = above;
  const vapid = await openVapid({ config, logger, keys, read, keep: (sealed) => units.keepVapidKey(sealed) });
  const push = new PushDelivery({
    config: { ...config, vapid },
    clock,
    logger,
    read,
    random,
    heardAt,
    ...(isElsewhere && { isElsewhere }),
    isSure,
    units,
  });
  opened.defer(() => push.stop(0));
  return push;
}
