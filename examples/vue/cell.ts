import type { Cell } from '@parley/client';
import { onScopeDispose, type Ref, shallowRef, watch } from 'vue';

/** The value of the cell that `read` returns, as a ref. It follows the cell until the component is unmounted. */
export function useCell<Value>(read: () => Cell<Value>): Readonly<Ref<Value>> {
  const value = shallowRef(read().get());
  let end: (() => void) | undefined;
  const follow = (cell: Cell<Value>): void => {
    const show = (): void => void (value.value = cell.get());
    end?.();
    end = cell.subscribe(show);
    show();
  };
  watch(read, follow, { immediate: true });
  onScopeDispose(() => end?.());
  return value;
}
