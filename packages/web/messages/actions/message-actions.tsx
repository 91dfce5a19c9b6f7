// What the user can do with a message. May import: the rooms below messages.
import type { Chat, StoredMessage } from '@parley/client/store';
import { CornerUpLeft, Ellipsis, SmilePlus } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { classNames } from '../../browser/class-names.ts';
import { useSession } from '../../session/session.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import styles from './message-actions.module.css';
import { menuOf } from './message-menu.tsx';
import { ReplyFacts } from './reply-facts.tsx';

const EmojiPicker = lazy(async () => import('../../emoji/emoji-picker.tsx'));
const ForwardDialog = lazy(async () => import('./forward-dialog.tsx'));
const DeleteDialog = lazy(async () => import('./delete-dialog.tsx'));

interface ActionsProps {
  chat: Chat;
  message: StoredMessage;
  isOwn: boolean;
  isJoined: boolean;
  /** Called when one of the menus or dialogs opens or closes: while one is open the actions must stay mounted. */
  onBusy: (isBusy: boolean) => void;
}

type Open = 'menu' | 'emoji' | 'forward' | 'delete' | null;

/** The actions of a message, shown while it is hovered or focused. */
export function MessageActions({ chat, message, isOwn, isJoined, onBusy }: ActionsProps) {
  const session = useSession();
  const navigate = useNavigate();
  const composings = useComposings();
  const { store, username } = session;
  const emoji = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  useEffect(() => onBusy(open !== null), [open, onBusy]);
  const react = (chosen: string) => {
    const isMine = message.reactions.some(
      (one) => one.emoji === chosen && one.reactors.some((by) => by.username === username),
    );
    void store.react(message.id, chosen, !isMine).catch(() => undefined);
  };
  return (
    <div
      className={classNames(styles['actions'], isOwn && styles['own'], isJoined && styles['joined'])}
      role="group"
      aria-label="Actions"
    >
      <ReplyFacts message={message} />
      <IconButton
        ref={emoji}
        label="React"
        icon={<SmilePlus />}
        aria-haspopup="dialog"
        onClick={() => setOpen('emoji')}
      />
      <IconButton
        label="Reply"
        icon={<CornerUpLeft />}
        onClick={() => composings.set(placeOf(message), { replyTo: message.id })}
      />
      <Menu
        trigger={<IconButton label="More" icon={<Ellipsis />} />}
        // The menu closes after the chosen dialog has opened.
        onOpenChange={(isOpen) => setOpen((now) => (isOpen ? 'menu' : now === 'menu' ? null : now))}
        items={menuOf({
          session,
          navigate,
          composings,
          chat,
          message,
          isOwn,
          onForward: () => setOpen('forward'),
          onDelete: () => setOpen('delete'),
        })}
      />
      <Suspense fallback={null}>
        {open === 'emoji' ? <EmojiPicker anchor={emoji} onChoose={react} onClose={close} /> : null}
        {open === 'forward' ? <ForwardDialog message={message} onClose={close} /> : null}
        {open === 'delete' ? <DeleteDialog chat={chat} message={message} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}

const placeOf = ({ conversation_id, channel_id, thread_root_id }: StoredMessage) => ({
  chat_id: conversation_id,
  channel_id,
  thread_root_id,
});
