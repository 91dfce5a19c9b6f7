import type { Chat, StoredMessage } from '@parley/client/store';
import { usePage } from '../../browser/page.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import { useSession } from '../../session/session.ts';
import type { MenuAction } from '../../ui/overlays/menu.tsx';
import { useSelection } from '../selection/selection.ts';
import { menuOf } from './message-menu.tsx';

interface MenuInput {
  chat: Chat;
  message: StoredMessage;
  isOwn: boolean;
  onDialog: (dialog: 'forward' | 'remind' | 'withdraw' | 'report' | 'delete') => void;
}

/** Begins a reply to the message in the composer of its timeline. */
export function useReply({ id, conversation_id: chat_id, channel_id, thread_root_id }: StoredMessage): () => void {
  const composings = useComposings();
  return () => composings.set({ chat_id, channel_id, thread_root_id }, { replyTo: id });
}

/** The items of a message's menu, on every kind of screen. */
export function useMessageMenu({ chat, message, isOwn, onDialog }: MenuInput): (MenuAction | null)[] {
  const session = useSession();
  const { navigation } = usePage();
  const composings = useComposings();
  const selection = useSelection();
  return menuOf({
    session,
    navigation,
    composings,
    chat,
    message,
    isOwn,
    onSelect: selection && (() => selection.toggle(message)),
    onForward: () => onDialog('forward'),
    onRemind: () => onDialog('remind'),
    onWithdraw: () => onDialog('withdraw'),
    onReport: () => onDialog('report'),
    onDelete: () => onDialog('delete'),
  });
}
