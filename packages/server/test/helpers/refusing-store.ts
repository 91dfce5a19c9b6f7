import { SteeredStore } from '@parley/testing/stores/steered-store.ts';
import { unavailable } from '../../core/errors.ts';
import { unitHandlers } from '../../service/unit-handlers.ts';
import type { UnitHandler } from '../../commits/unit-context.ts';

/** A store that refuses the next `times` calls of these units, like a store that cannot commit. */
export function refusingStore(names: readonly string[], times: number): SteeredStore & { asked: number } {
  const handlers = new Map<string, UnitHandler>(unitHandlers);
  const store = Object.assign(new SteeredStore(handlers), { asked: 0 });
  for (const name of names)
    handlers.set(name, (call, input, prepared) => {
      store.asked += 1;
      if (store.asked <= times) throw unavailable('not now');
      return unitHandlers.get(name)?.(call, input, prepared);
    });
  return store;
}
