import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

interface RowListProps<Item> {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  onPress: (item: Item) => void;
  /** If a press chooses the row: whether it is chosen. */
  isChosen?: (item: Item) => boolean;
  children: (item: Item) => ReactNode;
}

/** A list whose rows are buttons: one stop of Tab; Up, Down, Home and End lead from row to row (WEB-721). */
export function RowList<Item>({ label, items, keyOf, onPress, isChosen, children }: RowListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const keys = items.map(keyOf);
  const stop = focused !== null && keys.includes(focused) ? focused : keys[0];

  function onKeyDown(event: KeyboardEvent) {
    const at = keys.indexOf(stop ?? '');
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: keys.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>(':scope > li > button')[to]?.focus();
  }

  return (
    <ul ref={list} className="ui-bare" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item) => {
        const key = keyOf(item);
        return (
          <li key={key}>
            <button
              type="button"
              className="ui-row-button ui-hover ui-inside"
              tabIndex={key === stop ? 0 : -1}
              aria-pressed={isChosen?.(item)}
              aria-haspopup={isChosen ? undefined : 'dialog'}
              onFocus={() => setFocused(key)}
              onClick={() => onPress(item)}
            >
              {children(item)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
