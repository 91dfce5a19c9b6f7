// Searching everywhere, and commands. May import: chats/chat, chats/people and the rooms below chats.
import { lazy, Suspense, useState } from 'react';
import type { PagesToOpen } from './palette-commands.ts';
import { usePaletteKeys } from './use-palette-keys.ts';

export { usePaletteShortcut } from './use-palette-shortcut.ts';

const Dialog = lazy(async () => import('./palette-dialog.tsx'));

/** The search palette. Its script loads when it first opens; text typed before that is kept. */
export function Palette({ onClose, ...where }: { onClose: () => void; chatId?: string; pages?: PagesToOpen }) {
  const [typed, setTyped] = useState('');
  usePaletteKeys(setTyped, onClose);
  return (
    <Suspense fallback={null}>
      <Dialog typed={typed} onTyped={setTyped} onClose={onClose} {...where} />
    </Suspense>
  );
}
