import type { Chat, Timeline } from '@parley/client/store';
import { Copy, Forward, Trash2, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { isCovered } from '../../browser/covers.ts';
import { useBackCloses } from '../../browser/overlays.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../actions/copy-text.ts';
import { copiedText } from './copied-text.ts';
import { MAX_SELECTED, type Selection, selectedMessages } from './selection.ts';
import styles from './selection-bar.module.css';
import { t } from '../../words/t.ts';

const ForwardDialog = lazy(async () => import('../actions/forward-dialog.tsx'));
const DeleteDialog = lazy(async () => import('../actions/delete-dialog.tsx'));

interface SelectionBarProps {
  chat: Chat;
  timeline: Timeline;
  selection: Selection;
  rows: ReadonlySet<string>;
}

/** Stands in the composer's place while messages are selected: their number, and what can be done with them. */
export default function SelectionBar({ chat, timeline, selection, rows }: SelectionBarProps) {
  const session = useSession();
  const composings = useComposings();
  const [open, setOpen] = useState<'forward' | 'delete' | null>(null);
  // A message may be deleted while it is selected.
  useCell(timeline);
  const messages = selectedMessages(session, rows);
  const count = messages.length;
  const isNone = count === 0;

  const end = () => selection.end();
  useBackCloses(true, end);
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || isCovered()) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  });
  useEffect(() => {
    // Before the messages' own keys.
    const listen = (event: KeyboardEvent): void => onEscape(event);
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, []);
  useEffect(() => {
    // The button that began the selection is gone: its message takes the focus.
    const first = selection.last;
    if (first !== null) document.querySelector<HTMLElement>(`[data-message="${first}"]`)?.focus();
  }, [selection]);

  async function copy() {
    const note = await copyText(copiedText(messages));
    end();
    composings.signal('note', timeline.key, note);
  }

  return (
    <div className={styles['place']}>
      <div className={styles['bar']} role="toolbar" aria-label={t('Selected messages')}>
        <IconButton label={t('Cancel')} icon={<X />} onClick={end} />
        <p className={styles['count']} role="status">
          {count === MAX_SELECTED
            ? t('{count, number} selected, no more are possible at once', { count })
            : t('{count, number} selected', { count })}
        </p>
        <Button size="small" look="quiet" disabled={isNone} onClick={() => void copy()}>
          <Copy aria-hidden />
          <span className={styles['label']}>{t('Copy')}</span>
        </Button>
        {session.may('forwardMessages') ? (
          <Button size="small" look="quiet" disabled={isNone} onClick={() => setOpen('forward')}>
            <Forward aria-hidden />
            <span className={styles['label']}>{t('Forward')}</span>
          </Button>
        ) : null}
        <Button
          size="small"
          look="quiet"
          className={isNone ? undefined : 'ui-danger'}
          disabled={isNone}
          onClick={() => setOpen('delete')}
        >
          <Trash2 aria-hidden />
          <span className={styles['label']}>{t('Delete')}</span>
        </Button>
      </div>
      <Suspense fallback={null}>
        {isNone ? null : open === 'forward' ? (
          <ForwardDialog messages={messages} onDone={end} onClose={() => setOpen(null)} />
        ) : open === 'delete' ? (
          <DeleteDialog chat={chat} messages={messages} onDone={end} onClose={() => setOpen(null)} />
        ) : null}
      </Suspense>
    </div>
  );
}
