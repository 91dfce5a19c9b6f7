// Showing, choosing and searching emoji. May import: browser, words, session.
import { Popover } from '@base-ui/react/popover';
import { type EmojiPickerListComponents, EmojiPicker as Picker } from 'frimousse';
import { type RefObject, useId, useState } from 'react';
import { useBackCloses } from '../browser/overlays.ts';
import { useIsOffline } from '../browser/use-is-offline.ts';
import styles from './emoji-picker.module.css';
import { emojiLocale } from './emoji-list.ts';
import { EmojiGrid, emojiId, useEmojiResults } from './emoji-results.tsx';
import { asWritten } from './as-written.ts';
import { EmojiSign } from './emoji-sign.tsx';
import { keepEmoji } from './recent-emoji.ts';
import { useRecentEmoji } from './use-recent-emoji.ts';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { t } from '../words/t.ts';

/** Defined by the build: see emoji-data.ts. */
declare const EMOJI_PLACE: string;

// Declared once: inline components would remount on each render.
const parts: EmojiPickerListComponents = {
  CategoryHeader: ({ category, ...props }) => (
    <div {...props} className={styles['category']}>
      {category.label}
    </div>
  ),
  Row: ({ children, ...props }) => (
    <div {...props} className={styles['row']}>
      {children}
    </div>
  ),
  Emoji: ({ emoji, ...props }) => (
    <button {...props} className={styles['emoji']}>
      {emoji.emoji}
    </button>
  ),
};

/** Maximum custom emoji in their section; the search finds all. */
const MAX_CUSTOM = 40;

interface EmojiPickerProps {
  /** The element it opens beside. */
  anchor: RefObject<Element | null>;
  onChoose: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji, searchable by name; recently used ones come first. */
export default function EmojiPicker({ anchor, onChoose, onClose }: EmojiPickerProps) {
  useBackCloses(true, onClose);
  const isOffline = useIsOffline();
  const recent = useRecentEmoji();
  const custom = useCell(useStore().customEmoji);
  const [search, setSearch] = useState('');
  const listId = useId();
  const choose = (chosen: string) => {
    const emoji = asWritten(chosen);
    keepEmoji(emoji);
    onChoose(emoji);
    onClose();
  };
  const results = useEmojiResults(search, choose);
  const isSearching = search.trim() !== '';
  return (
    <Popover.Root open onOpenChange={(open) => open || onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className="ui-above"
          anchor={anchor}
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
        >
          <Popover.Popup className={styles['popup']} aria-label={t('Emoji')}>
            <Picker.Root
              className={styles['root']}
              emojibaseUrl={EMOJI_PLACE}
              locale={emojiLocale}
              columns={8}
              onEmojiSelect={({ emoji }) => choose(emoji)}
            >
              <input
                // The picker's own search is off: it would keep the order of its groups.
                frimousse-search=""
                className={styles['search']}
                type="search"
                role="combobox"
                placeholder={t('Search emoji')}
                aria-label={t('Search emoji')}
                aria-autocomplete="list"
                aria-expanded={isSearching}
                aria-controls={isSearching ? listId : undefined}
                aria-activedescendant={
                  isSearching && results.found.length > 0 ? emojiId(listId, results.active) : undefined
                }
                autoComplete="off"
                spellCheck={false}
                enterKeyHint="done"
                value={search}
                onChange={({ target }) => setSearch(target.value)}
                onKeyDown={results.onKeyDown}
              />
              {isSearching ? (
                <EmojiGrid id={listId} results={results} onChoose={choose} />
              ) : (
                <>
                  <div className={styles['recent']} role="group" aria-label={t('Recently used')}>
                    {recent.slice(0, 8).map((emoji) => (
                      <button key={emoji} type="button" onClick={() => choose(emoji)}>
                        <EmojiSign emoji={emoji} />
                      </button>
                    ))}
                  </div>
                  {custom.length > 0 ? (
                    <div className={styles['custom']} role="group" aria-label={t('Custom emoji')}>
                      <span className={styles['category']}>{t('Custom')}</span>
                      {custom.slice(0, MAX_CUSTOM).map(({ name }) => (
                        <button key={name} type="button" onClick={() => choose(`:${name}:`)}>
                          <EmojiSign emoji={`:${name}:`} />
                        </button>
                      ))}
                    </div>
                  ) : null}
                  <Picker.Viewport className={styles['viewport']}>
                    <Picker.Loading className={styles['note']}>
                      {isOffline
                        ? t('This isn’t on your device yet. It loads when you’re back online.')
                        : t('Loading …')}
                    </Picker.Loading>
                    <Picker.List className={styles['list']} components={parts} />
                  </Picker.Viewport>
                </>
              )}
            </Picker.Root>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
