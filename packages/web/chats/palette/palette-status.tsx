import { Spinner } from '../../ui/states/spinner.tsx';
import styles from './palette.module.css';
import type { PaletteResults } from './use-palette-results.ts';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';
import { dayText } from '../../words/times.ts';
import { kinds, type SearchText } from './search-text.ts';

interface PaletteStatusProps {
  search: SearchText;
  /** Number of rows that were found. */
  count: number;
  /** The search is limited to a conversation that is loaded. */
  hasScope: boolean;
  results: Pick<PaletteResults, 'busy' | 'error'>;
}

/** Says what an empty list means. If the list has rows, it announces their number, to screen readers only. */
export function PaletteStatus({ search, count, hasScope, results: { busy, error } }: PaletteStatusProps) {
  return (
    <div className={count > 0 && busy === null ? 'ui-spoken' : styles['note']} role="status">
      {busy !== null ? (
        <Spinner label={searching(busy)} />
      ) : count === 0 && error === null ? (
        emptyNote(search, hasScope)
      ) : (
        t('{count, plural, one {# result} other {# results}}', { count })
      )}
    </div>
  );
}

function searching(what: NonNullable<PaletteResults['busy']>): string {
  if (what === 'people') return t('Searching');
  return what === 'messages' ? t('Searching messages') : t('Searching conversations');
}

function emptyNote({ words, modifiers, open }: SearchText, hasScope: boolean): string {
  if (open?.name === 'from')
    return open.value === ''
      ? t('Type a name.')
      : t('No one found for “{typed}”. Try their full username.', { typed: open.value });
  if (open?.name === 'has') return t('Type one of {kinds}.', { kinds: listOf(kinds.map((kind) => `has:${kind}`)) });
  if (open) return t('Type a day as in {example}.', { example: `${open.name}:${dayText(new Date())}` });
  if (words !== '') return t('Nothing found for “{wanted}”.', { wanted: words });
  if (modifiers.length > 0) return t('Type a word of the messages that you’re looking for.');
  return hasScope ? t('Type a word to find messages in this conversation.') : t('No conversations yet.');
}
