import type { Chat, StoredMessage } from '@parley/client/store';
import { CornerUpLeft, SmilePlus } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { EmojiSign } from '../../emoji/emoji-sign.tsx';
import { useRecentEmoji } from '../../emoji/use-recent-emoji.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import type { MenuAction } from '../../ui/overlays/menu.tsx';
import { MessageDialogs, type OpenDialog, useReact } from './message-dialogs.tsx';
import styles from './message-sheet.module.css';
import { ReplyFacts } from './reply-facts.tsx';
import { useMessageMenu, useReply } from './use-message-menu.ts';
import { t } from '../../words/t.ts';

const EMOJIS = 6;

interface MessageSheetProps {
  chat: Chat;
  message: StoredMessage;
  isOwn: boolean;
  /** The message's row. */
  anchor: RefObject<HTMLElement | null>;
  /** Called once neither the sheet nor a dialog that it opened is open. */
  onClose: () => void;
}

/** The actions of a message on a touch screen, at the bottom edge. */
export default function MessageSheet({ chat, message, isOwn, anchor, onClose }: MessageSheetProps) {
  const [open, setOpen] = useState<OpenDialog | 'sheet' | null>('sheet');
  const recent = useRecentEmoji();
  const react = useReact(message);
  const reply = useReply(message);
  const items = useMessageMenu({ chat, message, isOwn, onDialog: setOpen });
  useEffect(() => {
    if (open === null) onClose();
  }, [open, onClose]);
  /** Closes the sheet, unless the action opens a dialog in its place. */
  const run = (action: () => void) => {
    setOpen(null);
    action();
  };
  const all: (MenuAction | null)[] = [{ label: t('Reply'), icon: <CornerUpLeft />, onSelect: reply }, ...items];
  return (
    <>
      <Dialog title={t('Message')} shape="bottom" isOpen={open === 'sheet'} onClose={() => setOpen(null)}>
        <div className={styles['emojis']} role="group" aria-label={t('React')}>
          {recent.slice(0, EMOJIS).map((emoji) => (
            <button key={emoji} type="button" onClick={() => run(() => react(emoji))}>
              <EmojiSign emoji={emoji} />
            </button>
          ))}
          <IconButton label={t('More emoji')} icon={<SmilePlus />} onClick={() => setOpen('emoji')} />
        </div>
        <ReplyFacts message={message} isLine />
        <ul className="ui-bare">
          {all.flatMap((item) =>
            item ? (
              <li key={item.label}>
                <button
                  type="button"
                  className={classNames(styles['item'], item.isDanger && 'ui-danger')}
                  onClick={() => run(item.onSelect)}
                >
                  {item.icon}
                  {item.label}
                </button>
              </li>
            ) : (
              []
            ),
          )}
        </ul>
      </Dialog>
      <MessageDialogs
        chat={chat}
        message={message}
        open={open === 'sheet' ? null : open}
        anchor={anchor}
        onClose={() => setOpen(null)}
      />
    </>
  );
}
