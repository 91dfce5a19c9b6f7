import { lazy, Suspense, useState } from 'react';
import { usePaletteKeys } from './use-palette-keys.ts';

export { usePaletteShortcut } from './use-palette-shortcut.ts';

const Dialog = lazy(async () => import('./palette-dialog.tsx'));

/** Search, in everything or in one conversation. Its script is loaded when it is first wanted; what is typed is kept. */
export function Palette({ onClose, chatId }: { onClose: () => void; chatId?: string }) {
  const [typed, setTyped] = useState('');
  usePaletteKeys(setTyped, onClose);
  return (
    <Suspense fallback={null}>
      <Dialog typed={typed} onTyped={setTyped} onClose={onClose} {...(chatId !== undefined && { chatId })} />
    </Suspense>
  );
}
