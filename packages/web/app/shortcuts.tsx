import { useEffect, useState } from 'react';
import { LazyDialog } from '../ui/lazy-dialog.tsx';
import styles from './shortcuts.module.css';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const groups = [
  {
    title: 'Everywhere',
    keys: [
      { does: 'Search, or go to a conversation', press: isApple ? ['⌘', 'K'] : ['Ctrl', 'K'] },
      { does: 'This list', press: ['?'] },
      { does: 'Close what is open', press: ['Esc'] },
    ],
  },
  {
    title: 'Writing',
    keys: [
      { does: 'Send', press: ['Enter'] },
      { does: 'New line', press: ['Shift', 'Enter'] },
      { does: 'Change your last message', press: ['↑'] },
      { does: 'Mention somebody', press: ['@'] },
      { does: 'Commands', press: ['/'] },
      { does: 'Leave a reply or a change', press: ['Esc'] },
    ],
  },
  {
    title: 'Messages',
    keys: [
      { does: 'From one to the next', press: ['↑', '↓'] },
      { does: 'First and last', press: ['Home', 'End'] },
      { does: 'To what can be done with one', press: ['Tab'] },
      { does: 'Back to writing', press: ['Esc'] },
    ],
  },
] as const;

/** The keys of the app, shown with `?` wherever that is not typed into something. */
export function Shortcuts() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTypedInto(event.target)) return;
      event.preventDefault();
      setIsOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <LazyDialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setIsOpen(false)}>
      {/* It may be longer than a small screen: the keys that scroll need the focus in it. */}
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
