import { Popover } from '@base-ui/react/popover';
import { type EmojiPickerListComponents, EmojiPicker as Picker } from 'frimousse';
import { type RefObject, useState } from 'react';
import styles from './emoji-picker.module.css';
import { keepEmoji, recentEmoji } from './recent-emoji.ts';

/** Of packages/web/emoji-data.ts. */
declare const EMOJI_PLACE: string;

// Made once: a new component would be a new element each time.
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

interface EmojiPickerProps {
  /** What it opens beside. */
  anchor: RefObject<Element | null>;
  onChoose: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji, to be found by name; those that one has used last come first. */
export default function EmojiPicker({ anchor, onChoose, onClose }: EmojiPickerProps) {
  const [recent] = useState(recentEmoji);
  const [search, setSearch] = useState('');
  const choose = (emoji: string) => {
    keepEmoji(emoji);
    onChoose(emoji);
    onClose();
  };
  return (
    <Popover.Root open onOpenChange={(open) => open || onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className={styles['positioner']}
          anchor={anchor}
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
        >
          <Popover.Popup className={styles['popup']} aria-label="Emoji">
            <Picker.Root
              className={styles['root']}
              emojibaseUrl={EMOJI_PLACE}
              locale="en"
              columns={8}
              onEmojiSelect={({ emoji }) => choose(emoji)}
            >
              <Picker.Search
                className={styles['search']}
                placeholder="Search emoji"
                aria-label="Search emoji"
                value={search}
                onChange={({ target }) => setSearch(target.value)}
              />
              {search === '' ? (
                <div className={styles['recent']} role="group" aria-label="Recently used">
                  {recent.slice(0, 8).map((emoji) => (
                    <button key={emoji} type="button" onClick={() => choose(emoji)}>
                      {emoji}
                    </button>
                  ))}
                </div>
              ) : null}
              <Picker.Viewport className={styles['viewport']}>
                <Picker.Loading className={styles['note']}>Loading …</Picker.Loading>
                <Picker.Empty className={styles['note']}>No emoji has this name.</Picker.Empty>
                <Picker.List className={styles['list']} components={parts} />
              </Picker.Viewport>
            </Picker.Root>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
