// What the user can do with a message. May import: messages/selection/selection.ts and the rooms below messages.
import type { Chat, StoredMessage } from '@parley/client/store';
import { CornerUpLeft, Ellipsis, SmilePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import styles from './message-actions.module.css';
import { MessageDialogs, type OpenDialog } from './message-dialogs.tsx';
import { ReplyFacts } from './reply-facts.tsx';
import { useMessageMenu, useReply } from './use-message-menu.ts';
import { t } from '../../words/t.ts';

interface ActionsProps {
  chat: Chat;
  message: StoredMessage;
  isOwn: boolean;
  isJoined: boolean;
  /** Called when one of the menus or dialogs opens or closes: while one is open the actions must stay mounted. */
  onBusy: (isBusy: boolean) => void;
}

/** The actions of a message, shown while it is hovered or focused. */
export function MessageActions({ chat, message, isOwn, isJoined, onBusy }: ActionsProps) {
  const emoji = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<OpenDialog | 'menu' | null>(null);
  const reply = useReply(message);
  const items = useMessageMenu({ chat, message, isOwn, onDialog: setOpen });
  useEffect(() => onBusy(open !== null), [open, onBusy]);
  return (
    <div
      className={classNames(styles['actions'], isOwn && styles['own'], isJoined && styles['joined'])}
      role="group"
      aria-label={t('Actions')}
    >
      <ReplyFacts message={message} />
      <IconButton
        ref={emoji}
        size="small"
        label={t('React')}
        icon={<SmilePlus />}
        aria-haspopup="dialog"
        onClick={() => setOpen('emoji')}
      />
      <IconButton size="small" label={t('Reply')} icon={<CornerUpLeft />} onClick={reply} />
      <Menu
        trigger={<IconButton size="small" label={t('More')} icon={<Ellipsis />} />}
        // The menu closes after the chosen dialog has opened.
        onOpenChange={(isOpen) => setOpen((now) => (isOpen ? 'menu' : now === 'menu' ? null : now))}
        items={items}
      />
      <MessageDialogs
        chat={chat}
        message={message}
        open={open === 'menu' ? null : open}
        anchor={emoji}
        onClose={() => setOpen(null)}
      />
    </div>
  );
}
