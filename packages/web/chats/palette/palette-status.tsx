import { Spinner } from '../../ui/states/spinner.tsx';
import styles from './palette.module.css';
import type { MessageSearch } from './use-message-search.ts';

interface PaletteStatusProps {
  typed: string;
  /** Number of rows in the list. */
  count: number;
  /** The search is limited to a conversation that is loaded. */
  hasScope: boolean;
  search: MessageSearch;
}

/** Says what an empty list means. If the list has rows, it announces their number, to screen readers only. */
export function PaletteStatus({ typed, count, hasScope, search }: PaletteStatusProps) {
  return (
    <div className={count > 0 && !search.isLoading ? styles['hidden'] : styles['note']} role="status">
      {search.isLoading ? (
        <Spinner label="Searching messages" />
      ) : count === 0 && search.error === null ? (
        emptyNote(typed.trim(), hasScope)
      ) : (
        `${count} found`
      )}
    </div>
  );
}

function emptyNote(wanted: string, hasScope: boolean): string {
  if (wanted !== '') return `Nothing found for “${wanted}”.`;
  return hasScope ? 'Type a word to find messages in this conversation.' : 'No conversations yet.';
}
