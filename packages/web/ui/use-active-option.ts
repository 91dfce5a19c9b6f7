import { type KeyboardEvent, type PointerEvent, useEffect, useId, useState } from 'react';

export interface ActiveOption {
  readonly listId: string;
  readonly activeKey: string | null;
  readonly optionId: (key: string) => string;
  /** Pointer handler for an option: moving onto it makes it active. */
  readonly onPoint: (key: string, event: PointerEvent) => void;
  /** Key handler for the input: arrows move, Enter chooses. Returns whether it handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Keyboard navigation of a list whose focus stays in an input (the combobox pattern). */
export function useActiveOption(
  keys: readonly string[],
  onChoose: (key: string) => void,
  /** Whether the first option is active before any arrow key is pressed. */
  hasFirstActive = true,
): ActiveOption {
  const listId = useId();
  const [chosen, setActive] = useState<string | null>(null);
  // If the active option has left the list, the first one becomes active.
  const activeKey = chosen !== null && keys.includes(chosen) ? chosen : hasFirstActive ? (keys[0] ?? null) : null;
  const optionId = (key: string): string => `${listId}-${key}`;
  const activeId = activeKey === null ? null : optionId(activeKey);
  useEffect(() => {
    if (activeId !== null && chosen !== null) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId, chosen]);
  const onKey = (event: KeyboardEvent): boolean => {
    // Enter that commits an input method's composition does not choose.
    if (event.nativeEvent.isComposing || keys.length === 0) return false;
    const at = activeKey === null ? -1 : keys.indexOf(activeKey);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      const isOne = Math.abs(step) === 1;
      const next = isOne
        ? (Math.max(at, step < 0 ? 0 : -1) + step + keys.length) % keys.length
        : Math.max(0, Math.min(keys.length - 1, at + step));
      setActive(keys[next] ?? null);
    } else if (event.key === 'Enter' && activeKey !== null) {
      setActive(null);
      onChoose(activeKey);
    } else return false;
    event.preventDefault();
    return true;
  };
  const onPoint = (key: string, { movementX, movementY }: PointerEvent): void => {
    // Ignore a list that moves under a resting pointer.
    if (key !== activeKey && (movementX !== 0 || movementY !== 0)) setActive(key);
  };
  return { listId, activeKey, optionId, onPoint, onKey };
}
