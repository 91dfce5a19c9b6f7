import { useEffect, useEffectEvent } from 'react';
import { LazyDialog } from '../ui/overlays/lazy-dialog.tsx';
import styles from './shortcuts.module.css';
import { t } from '../words/t.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const alt = isApple ? '⌥' : 'Alt';
const groups = [
  {
    title: t('Everywhere'),
    keys: [
      { does: t('Search, go to a conversation, or run a command'), press: isApple ? ['⌘', 'K'] : ['Ctrl', 'K'] },
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
      { does: t('Move a pinned one up or down'), press: isApple ? ['⌥', 'Shift', '↑ ↓'] : ['Alt', 'Shift', '↑ ↓'] },
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
    keys: [{ does: t('New chat with this agent'), press: isApple ? ['⌘', 'Shift', 'O'] : ['Ctrl', 'Shift', 'O'] }],
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
    title: t('Messages'),
    keys: [
      { does: t('Previous or next message'), press: ['↑', '↓'] },
      { does: t('First or last message'), press: ['Home', 'End'] },
      { does: t('Go to its actions'), press: ['Tab'] },
      { does: t('Back to the composer'), press: ['Esc'] },
    ],
  },
] as const;

interface ShortcutsProps {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** Lists the keyboard shortcuts. `?` opens it, unless the focus is in a text field. */
export function Shortcuts({ isOpen, onOpen, onClose }: ShortcutsProps) {
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTypedInto(event.target)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <LazyDialog title={t('Keyboard shortcuts')} isOpen={isOpen} onClose={onClose}>
      {/* Focusable, so that the arrow keys scroll it on a small screen. */}
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
    </LazyDialog>
  );
}

const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
