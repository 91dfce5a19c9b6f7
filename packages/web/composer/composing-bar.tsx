import { CornerUpLeft, Pencil, X } from 'lucide-react';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { shownName } from '../words/shown-name.ts';
import { knownNames } from '../chats/chat/known-names.ts';
import { plainLine } from '../chats/chat/preview.ts';
import { IconButton } from '../ui/button.tsx';
import type { Composing } from './composing/composing.ts';
import styles from './composing-bar.module.css';
import { t } from '../words/t.ts';

/** The bar above the text that shows which message is replied to or edited. */
export function ComposingBar({ composing, onCancel }: { composing: Composing; onCancel: () => void }) {
  const { replyTo, editing } = composing;
  const store = useStore();
  const message = useCell(store.message(editing ?? replyTo ?? ''));
  if (editing === null && replyTo === null) return null;
  return (
    <div className={styles['bar']} data-composing={editing === null ? 'reply' : 'edit'}>
      {editing === null ? <CornerUpLeft className="ui-accent" /> : <Pencil className="ui-accent" />}
      <span className="ui-lines">
        <span className={styles['name']}>
          {editing === null
            ? message
              ? t('Reply to {name}', { name: shownName(message.sender) })
              : t('Reply to a message')
            : t('Edit your message')}
        </span>
        <span className={styles['line']} dir="auto">
          {message ? plainLine(message, knownNames(store)) : ''}
        </span>
      </span>
      <IconButton label={editing === null ? t('Cancel reply') : t('Cancel editing')} icon={<X />} onClick={onCancel} />
    </div>
  );
}
