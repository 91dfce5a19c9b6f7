import { Spinner } from '../../ui/states/spinner.tsx';
import styles from './palette.module.css';
import type { PaletteResults } from './use-palette-results.ts';
import { t } from '../../words/t.ts';

interface PaletteStatusProps {
  typed: string;
  /** Number of rows that were found. */
  count: number;
  /** The search is limited to a conversation that is loaded. */
  hasScope: boolean;
  results: Pick<PaletteResults, 'busy' | 'error'>;
}

/** Says what an empty list means. If the list has rows, it announces their number, to screen readers only. */
export function PaletteStatus({ typed, count, hasScope, results: { busy, error } }: PaletteStatusProps) {
  return (
    <div className={count > 0 && busy === null ? styles['hidden'] : styles['note']} role="status">
      {busy !== null ? (
        <Spinner label={busy === 'messages' ? t('Searching messages') : t('Searching conversations')} />
      ) : count === 0 && error === null ? (
        emptyNote(typed.trim(), hasScope)
      ) : (
        t('{count, plural, one {# result} other {# results}}', { count })
      )}
    </div>
  );
}

function emptyNote(wanted: string, hasScope: boolean): string {
  if (wanted !== '') return t('Nothing found for “{wanted}”.', { wanted });
  return hasScope ? t('Type a word to find messages in this conversation.') : t('No conversations yet.');
}
