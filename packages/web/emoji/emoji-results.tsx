import type { EmojiData } from 'frimousse';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { classNames } from '../browser/class-names.ts';
import { EmojiSign } from './emoji-sign.tsx';
import styles from './emoji-picker.module.css';
import { loadEmoji } from './emoji-list.ts';
import { foundEmoji, searchedCustom, type SearchedEmoji } from './emoji-search.ts';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { arrows } from '../words/language.ts';
import { t } from '../words/t.ts';

const COLUMNS = 8;
/** Maximum number of search results shown. */
const MAX_SHOWN = 160;
const steps: Readonly<Record<string, number>> = {
  [arrows.back]: -1,
  [arrows.forward]: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

interface EmojiResults {
  readonly found: readonly SearchedEmoji[];
  readonly active: number;
  readonly isLoading: boolean;
  readonly activate: (at: number) => void;
  /** Handles a key pressed in the search field; ignored while the search is empty. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The search results, one of which is active: Enter chooses it. */
export function useEmojiResults(search: string, onChoose: (emoji: string) => void): EmojiResults {
  const [all, setAll] = useState<EmojiData['emojis'] | null>(null);
  const [active, setActive] = useState({ search, at: 0 });
  const isSearching = search.trim() !== '';
  useEffect(() => {
    if (!isSearching || all) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    loadEmoji(signal).then(
      (emojis) => signal.aborted || setAll(emojis),
      () => signal.aborted || setAll([]),
    );
    return () => abort.abort();
  }, [isSearching, all]);
  const custom = useCell(useStore().customEmoji);
  const found = useMemo(
    () => foundEmoji([...custom.map(searchedCustom), ...(all ?? [])], search).slice(0, MAX_SHOWN),
    [custom, all, search],
  );
  const at = active.search === search ? active.at : 0;
  const activate = (next: number) => setActive({ search, at: next });
  return {
    found,
    active: at,
    isLoading: isSearching && !all,
    activate,
    onKeyDown(event) {
      if (!isSearching) return;
      const step = steps[event.key];
      const chosen = found[at];
      if (step !== undefined) activate(Math.max(0, Math.min(found.length - 1, at + step)));
      else if (event.key !== 'Enter') return;
      else if (chosen) onChoose(chosen.emoji);
      // Stop the keys here: the picker below would handle them too.
      event.preventDefault();
    },
  };
}

interface EmojiGridProps {
  id: string;
  results: EmojiResults;
  onChoose: (emoji: string) => void;
}

export const emojiId = (listId: string, at: number): string => `${listId}-${at}`;

export function EmojiGrid({ id, results: { found, active, isLoading, activate }, onChoose }: EmojiGridProps) {
  useEffect(() => {
    document.querySelector(`#${CSS.escape(emojiId(id, active))}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  if (found.length === 0)
    return <p className={styles['nothing']}>{isLoading ? t('Loading …') : t('No emoji found. Try another word.')}</p>;
  return (
    <div
      id={id}
      className={classNames(styles['viewport'], styles['found'])}
      role="listbox"
      aria-label={t('Found emoji')}
    >
      {found.map(({ emoji, label }, at) => (
        <div
          key={emoji}
          id={emojiId(id, at)}
          role="option"
          tabIndex={-1}
          className={styles['emoji']}
          aria-label={label}
          aria-selected={at === active}
          data-active={at === active || undefined}
          title={label}
          onPointerMove={() => at === active || activate(at)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(emoji)}
        >
          <EmojiSign emoji={emoji} />
        </div>
      ))}
    </div>
  );
}
