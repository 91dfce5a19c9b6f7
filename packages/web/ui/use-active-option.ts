import { type KeyboardEvent, type PointerEvent, useEffect, useId, useState } from 'react';

interface ActiveOption {
  readonly listId: string;
  readonly activeKey: string | null;
  readonly optionId: (key: string) => string;
  /** For an option: a pointer that moves onto it. */
  readonly onPoint: (key: string, event: PointerEvent) => void;
  /** For the input: arrows go through the list, Enter chooses. Answers whether the key was for the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** A list that is walked through while the focus stays in the field above it. */
export function useActiveOption(
  keys: readonly string[],
  onChoose: (key: string) => void,
  /** Whether Enter chooses the first option before any was walked to. */
  hasFirstActive = true,
): ActiveOption {
  const listId = useId();
  const [chosen, setActive] = useState<string | null>(null);
  // What was active and is no more gives way to the first.
  const activeKey = chosen !== null && keys.includes(chosen) ? chosen : hasFirstActive ? (keys[0] ?? null) : null;
  const optionId = (key: string): string => `${listId}-${key}`;
  const activeId = activeKey === null ? null : optionId(activeKey);
  useEffect(() => {
    if (activeId !== null && chosen !== null) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId, chosen]);
  const onKey = (event: KeyboardEvent): boolean => {
    // Enter that ends the writing of a word in an input method chooses nothing.
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
    // The list may come and go below a pointer that rests: that chooses nothing.
    if (key !== activeKey && (movementX !== 0 || movementY !== 0)) setActive(key);
  };
  return { listId, activeKey, optionId, onPoint, onKey };
}
