import type { Chat } from '@parley/client/store';
import type { Folder as ChatFolder } from '@parley/protocol';
import {
  Archive,
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  Bell,
  BellOff,
  Check,
  Eraser,
  Folder,
  FolderInput,
  FolderMinus,
  FolderPlus,
  FolderX,
  LogOut,
  Mail,
  MailOpen,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { type Session, useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { ContextMenu, type Point } from '../../ui/overlays/context-menu.tsx';
import type { MenuItem, MenuItems } from '../../ui/overlays/menu.tsx';
import { errorText } from '../../words/error-text.ts';
import { AskToClear } from '../chat/ask-to-clear.tsx';
import { AskToDelete } from '../chat/ask-to-delete.tsx';
import { AskToLeave } from '../chat/ask-to-leave.tsx';
import { chatTitle, isSavedMessages } from '../chat/chat-title.ts';
import { muteItems, setMute } from '../chat/mute-items.ts';
import { leaveOut } from './folder-changes.ts';
import EditFolder from './edit-folder.tsx';
import { t } from '../../words/t.ts';

interface ChatMenuProps {
  chat: Chat;
  at: Element | Point;
  /** Gets the focus when the menu closes. */
  row: HTMLElement | null;
  /** The folder that the list shows. */
  folder: ChatFolder | undefined;
  /** Moves the pin up or down; absent if the list does not show the order of pins. */
  onMove?: ((by: 1 | -1) => void) | undefined;
  onProblem: (text: string) => void;
  onClose: () => void;
}

type Step = 'menu' | 'folder' | 'clear' | 'delete' | 'leave';

/** The menu of a row of the list, then the dialog that it opened. */
export default function ChatMenu({ chat, at, row, folder, onMove, onProblem, onClose }: ChatMenuProps) {
  const session = useSession();
  const [step, setStep] = useState<Step>('menu');
  const next = useRef<Step>('menu');
  const onStep = (to: Step) => {
    next.current = to;
    setStep(to);
  };
  const parts = useMenuParts(session, chat, { folder, onMove, onProblem, onStep });
  if (step === 'folder') return <EditFolder folder={null} chatId={chat.id} onClose={onClose} />;
  if (step === 'clear') return <AskToClear chat={chat} onClose={onClose} />;
  if (step === 'delete') return <AskToDelete chat={chat} onClose={onClose} />;
  if (step === 'leave') return <AskToLeave chat={chat} onClose={onClose} />;
  return (
    <ContextMenu
      label={t('Actions for {title}', { title: chatTitle(chat, session.username) })}
      items={parts}
      at={at}
      returnTo={row}
      // The menu closes after the chosen dialog has opened.
      onClose={() => next.current === 'menu' && onClose()}
    />
  );
}

interface Acts {
  folder: ChatMenuProps['folder'];
  onMove: ChatMenuProps['onMove'];
  onProblem: (text: string) => void;
  onStep: (step: Step) => void;
}

function useMenuParts(session: Session, chat: Chat, { folder, onMove, onProblem, onStep }: Acts): MenuItems {
  const { client, store } = session;
  const { archived, pinned, unread } = useCell(store.chats);
  const folders = useCell(store.folders);
  const chat_id = chat.id;
  const tell = (call: Promise<unknown>): void => void call.catch((error: unknown) => onProblem(errorText(error)));
  const set = (change: Omit<Parameters<typeof client.api.setChatState>[0], 'chat_id'>): void =>
    tell(client.call('setChatState', { chat_id, ...change }).then((changed) => store.putChat(changed)));
  const mute = (isMuted: boolean, seconds?: number): void => tell(setMute(session, chat, isMuted, seconds));
  const isArchived = archived.includes(chat_id);
  const pinAt = pinned.indexOf(chat_id);
  const isUnread = unread.includes(chat_id);
  const markRead = (): void => {
    if (chat.is_marked_unread) set({ is_marked_unread: false });
    if (chat.unread_count > 0 && chat.last_message_id !== null) tell(store.markRead(chat_id, chat.last_message_id));
  };
  const items: (MenuItem | null | false | undefined)[] = [
    pinAt === -1
      ? { label: t('Pin'), icon: <Pin />, onSelect: () => set({ is_pinned: true }) }
      : { label: t('Unpin'), icon: <PinOff />, onSelect: () => set({ is_pinned: false }) },
    onMove && pinAt > 0 && { label: t('Move up'), icon: <ArrowUp />, onSelect: () => onMove(-1) },
    onMove &&
      pinAt !== -1 &&
      pinAt < pinned.length - 1 && { label: t('Move down'), icon: <ArrowDown />, onSelect: () => onMove(1) },
    isUnread
      ? { label: t('Mark as read'), icon: <MailOpen />, onSelect: markRead }
      : { label: t('Mark as unread'), icon: <Mail />, onSelect: () => set({ is_marked_unread: true }) },
    !isSavedMessages(chat) &&
      (chat.is_muted
        ? { label: t('Unmute'), icon: <Bell />, onSelect: () => mute(false) }
        : { label: t('Mute'), icon: <BellOff />, items: muteItems((seconds) => mute(true, seconds)) }),
    isArchived
      ? { label: t('Move out of the archive'), icon: <ArchiveRestore />, onSelect: () => set({ is_archived: false }) }
      : { label: t('Archive'), icon: <Archive />, onSelect: () => set({ is_archived: true }) },
    {
      label: t('Move to folder'),
      icon: <FolderInput />,
      items: [
        ...folders.map(({ id, name }) => ({
          label: name,
          icon: chat.folder_id === id ? <Check /> : <Folder />,
          onSelect: () => set({ folder_id: id }),
        })),
        ...(chat.folder_id === undefined
          ? []
          : [{ label: t('No folder'), icon: <FolderX />, onSelect: () => set({ folder_id: null }) }]),
        ...(folders.length > 0 ? [null] : []),
        { label: t('New folder'), icon: <FolderPlus />, onSelect: () => onStep('folder') },
      ],
    },
    folder && {
      label: t('Leave out of “{name}”', { name: folder.name }),
      icon: <FolderMinus />,
      onSelect: () => tell(leaveOut(session, chat, folder)),
    },
    null,
    { label: t('Clear history'), icon: <Eraser />, onSelect: () => onStep('clear'), isDanger: true },
    chat.is_separate && { label: t('Delete chat'), icon: <Trash2 />, onSelect: () => onStep('delete'), isDanger: true },
    chat.kind === 'group' && {
      label: t('Leave group'),
      icon: <LogOut />,
      onSelect: () => onStep('leave'),
      isDanger: true,
    },
  ];
  return items.filter((item) => item !== false && item !== undefined);
}
