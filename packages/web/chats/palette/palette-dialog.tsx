import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef, useState } from 'react';
import { useBackCloses } from '../../browser/overlays.ts';
import { isTouch } from '../../browser/touch.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { useActiveOption } from '../../ui/use-active-option.ts';
import { PaletteField } from './palette-field.tsx';
import { PaletteResults } from './palette-results.tsx';
import { PaletteStatus } from './palette-status.tsx';
import styles from './palette.module.css';
import { useOpenItem } from './use-open-item.ts';
import { usePaletteResults } from './use-palette-results.ts';

interface PaletteProps {
  typed: string;
  onTyped: (typed: string) => void;
  onClose: () => void;
  /** The conversation to search in; the user can widen the search to all. */
  chatId?: string;
}

/** Searches conversations, people and messages, and opens what the user chooses. */
export default function PaletteDialog({ typed, onTyped, onClose, chatId }: PaletteProps) {
  const [scopeId, setScopeId] = useState(chatId ?? null);
  const scope = useCell(useStore().chat(scopeId ?? ''));
  const input = useRef<HTMLInputElement>(null);
  useBackCloses(true, onClose);
  const { groups, items, search } = usePaletteResults(typed, scopeId);
  const limitTo = (id: string | null) => {
    setScopeId(id);
    input.current?.focus();
  };
  const { open, problem, clearProblem, hasOpenedChat } = useOpenItem({
    onScope: limitTo,
    onMore: search.loadMore,
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
        <Base.Backdrop className={styles['backdrop']} forceRender />
        <Base.Popup
          className={styles['popup']}
          data-palette
          initialFocus={input}
          // After opening a conversation the composer gets the focus; otherwise the focus returns to where it was.
          finalFocus={() => !hasOpenedChat.current || (isTouch() ? false : (composerField() ?? false))}
        >
          <Base.Title className={styles['hidden']}>Search</Base.Title>
          <PaletteField
            ref={input}
            typed={typed}
            scope={scope}
            active={active}
            isListOpen={items.length > 0}
            onTyped={(next) => {
              onTyped(next);
              clearProblem();
            }}
            onLeaveScope={() => limitTo(null)}
            onClose={onClose}
          />
          <div className={styles['list']}>
            <PaletteResults groups={groups} active={active} isScoped={scopeId !== null} onChoose={choose} />
            <Problem text={problem} />
            <Problem text={search.error} onRetry={search.reload} />
            <PaletteStatus typed={typed} count={items.length} hasScope={scope !== undefined} search={search} />
          </div>
          <KeyHints />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const composerField = (): HTMLElement | null => document.querySelector('[data-composer=timeline] textarea');

function KeyHints() {
  return (
    <p className={styles['foot']}>
      <span>
        <kbd>↑ ↓</kbd> choose
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      <span>
        <kbd>Esc</kbd> close
      </span>
    </p>
  );
}
