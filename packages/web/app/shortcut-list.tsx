import { isApple } from '../browser/is-apple.ts';
import { t } from '../words/t.ts';
import styles from './shortcuts.module.css';

const command = isApple ? '⌘' : 'Ctrl';
const alt = isApple ? '⌥' : 'Alt';
const groups = [
  {
    title: t('Everywhere'),
    keys: [
      { does: t('Search, go to a conversation, or run a command'), press: [command, 'K'] },
      { does: t('Previous or next conversation'), press: [alt, '↑ ↓'] },
      { does: t('Previous or next unread conversation'), press: [alt, 'Shift', '↑ ↓'] },
      { does: t('Show this list'), press: ['?'] },
      { does: t('Close a dialog or menu'), press: ['Esc'] },
    ],
  },
  {
    title: t('Conversations'),
    keys: [
      { does: t('Menu of a conversation'), press: ['Shift', 'F10'] },
      { does: t('Move a pinned one up or down'), press: [alt, 'Shift', '↑ ↓'] },
    ],
  },
  {
    title: t('For you'),
    keys: [
      { does: t('Previous or next item'), press: ['↑', '↓'] },
      { does: t('Open it'), press: ['Enter'] },
      { does: t('Mark it as done'), press: ['E'] },
    ],
  },
  {
    title: t('In a direct chat with an agent'),
    keys: [{ does: t('New chat with this agent'), press: [command, 'Shift', 'O'] }],
  },
  {
    title: t('Writing'),
    keys: [
      { does: t('Send'), press: ['Enter'] },
      { does: t('New line'), press: ['Shift', 'Enter'] },
      { does: t('Edit your last message'), press: ['↑'] },
      { does: t('Mention someone'), press: ['@'] },
      { does: t('Commands'), press: ['/'] },
      { does: t('Suggest emoji'), press: [':'] },
      { does: t('Cancel a reply or an edit, or stop an answer'), press: ['Esc'] },
    ],
  },
  {
    title: t('Formatting'),
    keys: [
      { does: t('Bold'), press: [command, 'B'] },
      { does: t('Italic'), press: [command, 'I'] },
      { does: t('Link, for selected words'), press: [command, 'K'] },
      { does: t('Code'), press: [command, 'E'] },
      { does: t('Numbered list'), press: [command, 'Shift', '7'] },
      { does: t('Bulleted list'), press: [command, 'Shift', '8'] },
      { does: t('Quote'), press: [command, 'Shift', '9'] },
      { does: t('Paste without formatting'), press: [command, 'Shift', 'V'] },
    ],
  },
  {
    title: t('Messages'),
    keys: [
      { does: t('Previous or next message'), press: ['↑', '↓'] },
      { does: t('First or last message'), press: ['Home', 'End'] },
      { does: t('Go to its actions'), press: ['Tab'] },
      { does: t('Back to the composer'), press: ['Esc'] },
    ],
  },
] as const;

/** The keyboard shortcuts, by place. */
export default function ShortcutList() {
  return (
    // Focusable, so that the arrow keys scroll it on a small screen.
    <div className={styles['list']} role="group" aria-label={t('Shortcuts')} tabIndex={0}>
      {/* The lists never change, so the index is a stable key; two texts may be the same in a language. */}
      {groups.map(({ title, keys }, group) => (
        <section key={group}>
          <h3>{title}</h3>
          <dl>
            {keys.map(({ does, press }, at) => (
              <div key={at} className={styles['row']}>
                <dt>{does}</dt>
                <dd>
                  {press.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
