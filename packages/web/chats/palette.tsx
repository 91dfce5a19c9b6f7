import { lazy, Suspense } from 'react';

export { usePaletteShortcut } from './use-palette-shortcut.ts';

const Dialog = lazy(async () => import('./palette-dialog.tsx'));

/** Search, in everything or in one conversation. Its script comes when it is first wanted. */
export const Palette = ({ onClose, chatId }: { onClose: () => void; chatId?: string }) => (
  <Suspense fallback={null}>
    <Dialog onClose={onClose} {...(chatId !== undefined && { chatId })} />
  </Suspense>
);
