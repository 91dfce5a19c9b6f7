import type { Cell } from '@parley/client';
import { createSubscriber } from 'svelte/reactivity';

/** A cell of the store whose `current` renders again when it changes, while a component shows it. */
export function fromCell<Value>(cell: Cell<Value>): { readonly current: Value } {
  const follow = createSubscriber((update) => cell.subscribe(update));
  return {
    get current() {
      follow();
      return cell.get();
    },
  };
}
