import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { LazyDialog } from '../ui/overlays/lazy-dialog.tsx';
import { t } from '../words/t.ts';

const ShortcutList = lazy(async () => import('./shortcut-list.tsx'));

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
      <Suspense fallback={null}>
        <ShortcutList />
      </Suspense>
    </LazyDialog>
  );
}

const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
