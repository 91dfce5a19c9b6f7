import type { Chat, StoredMessage } from '@parley/client/store';
import { lazy, type RefObject, Suspense } from 'react';
import { useSession } from '../../session/session.ts';

const EmojiPicker = lazy(async () => import('../../emoji/emoji-picker.tsx'));
const ForwardDialog = lazy(async () => import('./forward-dialog.tsx'));
const RemindDialog = lazy(async () => import('./remind-dialog.tsx'));
const WithdrawDialog = lazy(async () => import('./withdraw-dialog.tsx'));
const ReportDialog = lazy(async () => import('./report-dialog.tsx'));
const DeleteDialog = lazy(async () => import('./delete-dialog.tsx'));

export type OpenDialog = 'emoji' | 'forward' | 'remind' | 'withdraw' | 'report' | 'delete';

interface MessageDialogsProps {
  chat: Chat;
  message: StoredMessage;
  open: OpenDialog | null;
  /** What the emoji picker opens at. */
  anchor: RefObject<Element | null>;
  onClose: () => void;
}

/** What the actions of a message open. */
export function MessageDialogs({ chat, message, open, anchor, onClose }: MessageDialogsProps) {
  const react = useReact(message);
  return (
    <Suspense fallback={null}>
      {open === 'emoji' ? <EmojiPicker anchor={anchor} onChoose={react} onClose={onClose} /> : null}
      {open === 'forward' ? <ForwardDialog messages={[message]} onClose={onClose} /> : null}
      {open === 'remind' ? <RemindDialog message={message} onClose={onClose} /> : null}
      {open === 'withdraw' ? <WithdrawDialog message={message} onClose={onClose} /> : null}
      {open === 'report' ? <ReportDialog message={message} onClose={onClose} /> : null}
      {open === 'delete' ? <DeleteDialog chat={chat} messages={[message]} onClose={onClose} /> : null}
    </Suspense>
  );
}

/** Adds the user's reaction, or removes it. */
export function useReact(message: StoredMessage): (emoji: string) => void {
  const { store, username } = useSession();
  return (chosen) => {
    const isMine = message.reactions.some(
      ({ emoji, reactors }) => emoji === chosen && reactors.some((by) => by.username === username),
    );
    void store.react(message.id, chosen, !isMine).catch(() => undefined);
  };
}
