import { useEffect, useEffectEvent } from 'react';
import { LazyDialog } from '../ui/overlays/lazy-dialog.tsx';
import styles from './shortcuts.module.css';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const alt = isApple ? '⌥' : 'Alt';
const groups = [
  {
    title: 'Everywhere',
    keys: [
      { does: 'Search, go to a conversation, or run a command', press: isApple ? ['⌘', 'K'] : ['Ctrl', 'K'] },
      { does: 'Previous or next conversation', press: [alt, '↑ ↓'] },
      { does: 'Previous or next unread conversation', press: [alt, 'Shift', '↑ ↓'] },
      { does: 'Show this list', press: ['?'] },
      { does: 'Close a dialog or menu', press: ['Esc'] },
    ],
  },
  {
    title: 'Conversations',
    keys: [
      { does: 'Menu of a conversation', press: ['Shift', 'F10'] },
      { does: 'Move a pinned one up or down', press: isApple ? ['⌥', 'Shift', '↑ ↓'] : ['Alt', 'Shift', '↑ ↓'] },
    ],
  },
  {
    title: 'For you',
    keys: [
      { does: 'Previous or next item', press: ['↑', '↓'] },
      { does: 'Open it', press: ['Enter'] },
      { does: 'Mark it as done', press: ['E'] },
    ],
  },
  {
    title: 'In a direct chat with an agent',
    keys: [{ does: 'New chat with this agent', press: isApple ? ['⌘', 'Shift', 'O'] : ['Ctrl', 'Shift', 'O'] }],
  },
  {
    title: 'Writing',
    keys: [
      { does: 'Send', press: ['Enter'] },
      { does: 'New line', press: ['Shift', 'Enter'] },
      { does: 'Edit your last message', press: ['↑'] },
      { does: 'Mention someone', press: ['@'] },
      { does: 'Commands', press: ['/'] },
      { does: 'Suggest emoji', press: [':'] },
      { does: 'Cancel a reply or an edit, or stop an answer', press: ['Esc'] },
    ],
  },
  {
    title: 'Messages',
    keys: [
      { does: 'Previous or next message', press: ['↑', '↓'] },
      { does: 'First or last message', press: ['Home', 'End'] },
      { does: 'Go to its actions', press: ['Tab'] },
      { does: 'Back to the composer', press: ['Esc'] },
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
    <LazyDialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      {/* Focusable, so that the arrow keys scroll it on a small screen. */}
      <div className={styles['list']} role="group" aria-label="Shortcuts" tabIndex={0}>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(({ does, press }) => (
                <div key={does} className={styles['row']}>
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
