import styles from './composer.module.css';
import type { Note } from './composing/composing.ts';

/** The line below the text: its length if it is near the limit, otherwise the result of the last action. */
export function ComposerNote({ note }: { note: Note | null }) {
  return (
    <p className={note?.isError ? styles['error'] : styles['note']} role={note?.isError ? 'alert' : 'status'}>
      {note?.text}
    </p>
  );
}
