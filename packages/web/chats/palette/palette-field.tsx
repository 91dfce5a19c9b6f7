import type { Chat } from '@parley/client/store';
import { Search, X } from 'lucide-react';
import type { RefObject } from 'react';
import { useSession } from '../../session/session.ts';
import { IconButton } from '../../ui/button.tsx';
import type { ActiveOption } from '../../ui/use-active-option.ts';
import { chatTitle } from '../chat/chat-title.ts';
import styles from './palette.module.css';
import { t } from '../../words/t.ts';

interface PaletteFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  typed: string;
  /** The conversation that the search is limited to. */
  scope: Chat | undefined;
  active: ActiveOption;
  isListOpen: boolean;
  onTyped: (typed: string) => void;
  onLeaveScope: () => void;
  onClose: () => void;
}

/** The head of the palette: the search field, the conversation it searches in, and the button that closes it. */
export function PaletteField({ ref, typed, scope, active, isListOpen, ...on }: PaletteFieldProps) {
  const { username } = useSession();
  const { listId, activeKey, optionId, onKey } = active;
  return (
    <div className={styles['head']}>
      <Search aria-hidden />
      {scope ? (
        <button
          type="button"
          className={styles['scope']}
          aria-label={t('Search everywhere, not only in {title}', { title: chatTitle(scope, username) })}
          onClick={on.onLeaveScope}
        >
          <span>{chatTitle(scope, username)}</span>
          <X size={14} aria-hidden />
        </button>
      ) : null}
      <input
        ref={ref}
        className={styles['input']}
        role="combobox"
        aria-label={t('Search')}
        aria-expanded={isListOpen}
        aria-controls={listId}
        aria-activedescendant={activeKey === null ? undefined : optionId(activeKey)}
        aria-autocomplete="list"
        placeholder={scope ? t('Search messages') : t('Conversations, people, messages, actions')}
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
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
