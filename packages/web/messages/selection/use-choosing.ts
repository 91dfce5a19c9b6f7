import type { StoredMessage } from '@parley/client/store';
import type { DOMAttributes, KeyboardEvent, MouseEvent } from 'react';
import { useStore } from '../../session/session.ts';
import { isSelectable, selectableRows, useIsSelected, useSelection } from './selection.ts';

interface Choosing {
  readonly isSelecting: boolean;
  readonly isSelected: boolean;
  /** Handlers of the message's row: while messages are being selected, a click anywhere on it selects. */
  readonly handlers: Pick<DOMAttributes<HTMLElement>, 'onClickCapture' | 'onMouseDown' | 'onKeyDown'>;
}

/** Selecting one message: a click or the space bar toggles it, with Shift everything up to it is selected. */
export function useChoosing(message: StoredMessage): Choosing {
  const store = useStore();
  const selection = useSelection();
  const state = useIsSelected(message);
  if (!selection || !state.isSelecting || !isSelectable(message)) return { ...state, handlers: {} };

  function choose(isRange: boolean) {
    const { conversation_id: chat_id, channel_id, thread_root_id } = message;
    if (!isRange) selection?.toggle(message);
    else selection?.extendTo(message, selectableRows(store, store.timeline({ chat_id, channel_id, thread_root_id })));
  }
  return {
    ...state,
    handlers: {
      onClickCapture: (event: MouseEvent) => {
        event.preventDefault();
        event.stopPropagation();
        choose(event.shiftKey);
      },
      // Shift would select text.
      onMouseDown: (event: MouseEvent) => event.shiftKey && event.preventDefault(),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== ' ' || event.target !== event.currentTarget) return;
        event.preventDefault();
        choose(event.shiftKey);
      },
    },
  };
}
