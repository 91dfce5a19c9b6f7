import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

interface InboxKeysInput {
  /** Called when the last row is left: it had the focus. */
  onEmpty: () => void;
  onDone: (messageId: string) => void;
}

interface InboxKeys {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Moves the focus from a row that is about to disappear to the next one, or to the one before. */
  readonly leave: (messageId: string) => void;
}

const linkOf = (row: Element | null | undefined): HTMLElement | null => row?.querySelector('a') ?? null;
const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null;

/** The arrow keys move between rows, `e` marks a row as done (WEB-247). The first row has the focus at first. */
export function useInboxKeys({ onEmpty, onDone }: InboxKeysInput): InboxKeys {
  const list = useRef<HTMLUListElement>(null);
  const hasFocused = useRef(false);

  useEffect(() => {
    // The rows may come after the page. A focus that the user has moved since stays where it is.
    if (hasFocused.current || !list.current) return;
    hasFocused.current = true;
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.getAttribute('aria-current') === 'page';
    if (isFree) linkOf(list.current.firstElementChild)?.focus({ preventScroll: true });
  });

  function leave(messageId: string): void {
    const row = list.current?.querySelector(`[data-item="${messageId}"]`);
    if (!row?.contains(document.activeElement)) return;
    const next = linkOf(row.nextElementSibling) ?? linkOf(row.previousElementSibling);
    if (next) next.focus();
    else onEmpty();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const row = rowOf(event.target);
    if (!row) return;
    if (event.key === 'e') {
      // A decision goes when it is decided.
      if (row.dataset['reason'] !== 'decision') onDone(row.dataset['item'] ?? '');
    } else if (event.key === 'ArrowDown') linkOf(row.nextElementSibling)?.focus();
    else if (event.key === 'ArrowUp') linkOf(row.previousElementSibling)?.focus();
    else return;
    event.preventDefault();
  }

  return { list, onKeyDown, leave };
}
