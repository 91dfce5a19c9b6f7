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
  const vapid = await openVapid({ ...above, keep: (sealed) => above.units.keepVapidKey(sealed) });
  const push = new PushDelivery({ ...above, config: { ...above.config, vapid } });
  opened.defer(() => push.stop(0));
  return push;
}
