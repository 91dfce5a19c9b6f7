import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useBackCloses } from '../../browser/overlays.ts';
import { isTouch } from '../../browser/touch.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useIsAway } from '../../session/use-is-away.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { useActiveOption } from '../../ui/use-active-option.ts';
import { MessageFilters } from './message-filters.tsx';
import type { PagesToOpen } from './palette-commands.ts';
import { PaletteField } from './palette-field.tsx';
import { PaletteResults } from './palette-results.tsx';
import { PaletteStatus } from './palette-status.tsx';
import styles from './palette.module.css';
import { hasModifier, readSearch, withModifier } from './search-text.ts';
import { useOpenItem } from './use-open-item.ts';
import { usePaletteResults } from './use-palette-results.ts';
import { rich, t } from '../../words/t.ts';

interface PaletteProps {
  typed: string;
  onTyped: (typed: string) => void;
  onClose: () => void;
  /** The conversation to search in; the user can widen the search to all. */
  chatId?: string;
  pages?: PagesToOpen;
}

/** Searches conversations, people, commands and messages, and opens what the user chooses. */
export default function PaletteDialog({ typed, onTyped, onClose, chatId, pages }: PaletteProps) {
  const [scopeId, setScopeId] = useState(chatId ?? null);
  const scope = useCell(useStore().chat(scopeId ?? ''));
  const input = useRef<HTMLInputElement>(null);
  const isAway = useIsAway();
  useBackCloses(true, onClose);
  const search = readSearch(typed);
  const results = usePaletteResults(typed, search, scopeId, pages);
  const { groups, items } = results;
  const limitTo = (id: string | null) => {
    setScopeId(id);
    input.current?.focus();
  };
  const filter = (next: string) => {
    onTyped(next);
    input.current?.focus();
  };
  const { open, problem, clearProblem, hasOpenedChat } = useOpenItem({
    onSender: (value) => filter(withModifier(typed, { name: 'from', value })),
    onMore: results.loadMore,
    onClose,
  });
  const choose = (key: string) => {
    const item = items.find((one) => one.key === key);
    if (item) open(item);
  };
  const active = useActiveOption(
    items.map(({ key }) => key),
    choose,
  );
  return (
    <Base.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="ui-backdrop ui-fade" forceRender />
        <Base.Popup
          className={styles['popup']}
          data-palette
          initialFocus={input}
          // After opening a conversation the composer gets the focus; otherwise the focus returns to where it was.
          finalFocus={() => !hasOpenedChat.current || (isTouch() ? false : (composerField() ?? false))}
        >
          <Base.Title className="ui-spoken">{t('Search')}</Base.Title>
          <PaletteField
            ref={input}
            typed={typed}
            filterLength={typed.length - search.words.length}
            isForMessages={scopeId !== null || hasModifier(search)}
            active={active}
            isListOpen={items.length > 0}
            onTyped={(next) => {
              onTyped(next);
              clearProblem();
            }}
            onLeaveScope={() => limitTo(null)}
            onClose={onClose}
          />
          <MessageFilters
            typed={typed}
            search={search}
            scope={scope}
            openChat={results.openChat}
            onTyped={filter}
            onScope={limitTo}
          />
          <div className={styles['list']}>
            {isAway ? <p className={styles['note']}>{t('Without a connection: what this device has')}</p> : null}
            <PaletteResults groups={groups} active={active} isScoped={scopeId !== null} onChoose={choose} />
            <Problem text={problem} />
            <Problem text={results.error} onRetry={results.reload} />
            <PaletteStatus search={search} count={items.length} hasScope={scope !== undefined} results={results} />
          </div>
          <KeyHints />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const composerField = (): HTMLElement | null => document.querySelector('[data-composer=timeline] textarea');

const key = (text: ReactNode) => <kbd>{text}</kbd>;

function KeyHints() {
  return (
    <p className={classNames(styles['foot'], 'ui-no-touch')}>
      <span>{rich('<key>↑ ↓</key> to choose', { key })}</span>
      <span>{rich('<key>Enter</key> to open', { key })}</span>
      <span>{rich('<key>Esc</key> to close', { key })}</span>
    </p>
  );
}
