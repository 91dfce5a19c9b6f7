import { classNames } from '../browser/class-names.ts';
import styles from './composer.module.css';
import type { Note } from './composing/composing.ts';

/** The line below the text: its length if it is near the limit, otherwise the result of the last action. */
export function ComposerNote({ note }: { note: Note | null }) {
  return (
    <p
      // An element of its own, whose time begins with it.
      key={note?.text}
      className={classNames(
        styles['note'],
        note?.isError ? 'ui-danger' : 'ui-faint',
        note && !note.isError && !note.isLasting && styles['passing'],
      )}
      role={note?.isError ? 'alert' : 'status'}
    >
      {note?.text}
    </p>
  );
}
