import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

interface ListKeysInput {
  isListed: boolean;
  rows: readonly string[];
  /** The row of what is open: where Tab enters the list until another row has had the focus. */
  openRow: string | null;
  onUnfold: (chatId: string, isUnfolded: boolean) => void;
}

/** Without a connection the keys may not load. */
const noKeys = (): void => undefined;

/**
 * Makes the list one stop of Tab: Up, Down, Home and End move between rows; forward unfolds a group and goes into it, back
 * leads to the group and folds it, as in a tree. Returns the row that Tab reaches.
 */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  { isListed, rows, openRow, onUnfold }: ListKeysInput,
): string | undefined {
  const [focused, setFocused] = useState<string | null>(null);
  const stop = [focused, openRow].find((row) => row !== null && rows.includes(row)) ?? rows[0];

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (!(target instanceof HTMLElement) || target.dataset['listRow'] === undefined) return;
    if (altKey || ctrlKey || metaKey || shiftKey || !/^(?:Arrow|Home$|End$)/.test(key)) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-list-row]') ?? [])];
    void import('./list-keys.ts').then(({ pressInList }) => pressInList(links, { target, key }, onUnfold), noKeys);
  });

  useEffect(() => {
    const nav = list.current;
    if (!nav || !isListed) return undefined;
    const end = new AbortController();
    nav.addEventListener('keydown', (event) => onKey(event), { signal: end.signal });
    nav.addEventListener(
      'focusin',
      ({ target }) => {
        const row = target instanceof Element ? target.closest<HTMLElement>('[data-list-row]') : null;
        if (row) setFocused(row.dataset['listRow'] ?? null);
      },
      { signal: end.signal },
    );
    return () => end.abort();
  }, [list, isListed]);
  return stop;
}
