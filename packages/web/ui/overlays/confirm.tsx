// Dialogs, menus and toasts, which open over a page. May import: ui, ui/states and the rooms below ui.
import type { ReactNode } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../button.tsx';
import styles from './confirm.module.css';
import { Dialog } from './dialog.tsx';
import { Problem } from '../states/problem.tsx';
import { t } from '../../words/t.ts';

interface ConfirmProps {
  title: string;
  text: ReactNode;
  /** The label of the confirming button. */
  action: string;
  isDanger?: boolean;
  /** The dialog closes if this succeeds. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Words an error; null leaves it to the default. */
  say?: (error: unknown) => string | null;
}

/** Asks before an action that is hard to undo. */
export function Confirm({ title, text, action, isDanger = false, onConfirm, onClose, say }: ConfirmProps) {
  const { isBusy, errorBut, submit } = useSubmit();
  async function confirm() {
    const isDone = await submit(onConfirm, (error) => {
      const words = say?.(error) ?? null;
      return words === null ? null : { field: null, text: words };
    });
    if (isDone) onClose();
  }
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look={isDanger ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <p className={styles['text']}>{text}</p>
      <Problem text={errorBut()} />
    </Dialog>
  );
}
