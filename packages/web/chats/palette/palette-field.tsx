import { Search, X } from 'lucide-react';
import type { RefObject } from 'react';
import { IconButton } from '../../ui/button.tsx';
import type { ActiveOption } from '../../ui/use-active-option.ts';
import styles from './palette.module.css';
import { t } from '../../words/t.ts';

interface PaletteFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  typed: string;
  /** How much of the typed text is filters. */
  filterLength: number;
  /** The search is for messages only. */
  isForMessages: boolean;
  active: ActiveOption;
  isListOpen: boolean;
  onTyped: (typed: string) => void;
  onLeaveScope: () => void;
  onClose: () => void;
}

/** Maximum characters of the searched words: with 3 bytes each, they fit into a query. */
const MAX_CHARACTERS = 80;

/** The head of the palette: the search field, and the button that closes it. */
export function PaletteField({
  ref,
  typed,
  filterLength,
  isForMessages,
  active,
  isListOpen,
  ...on
}: PaletteFieldProps) {
  const { listId, activeKey, optionId, onKey } = active;
  return (
    <div className={styles['head']}>
      <Search aria-hidden />
      <input
        ref={ref}
        className={styles['input']}
        role="combobox"
        aria-label={t('Search')}
        aria-expanded={isListOpen}
        aria-controls={listId}
        aria-activedescendant={activeKey === null ? undefined : optionId(activeKey)}
        aria-autocomplete="list"
        placeholder={isForMessages ? t('Search messages') : t('Conversations, people, messages, actions')}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_CHARACTERS + filterLength}
        value={typed}
        onChange={({ target }) => on.onTyped(target.value)}
        onKeyDown={(event) => {
          if (!onKey(event) && event.key === 'Backspace' && typed === '') on.onLeaveScope();
        }}
      />
      <IconButton label={t('Close')} icon={<X />} onClick={on.onClose} />
    </div>
  );
}
