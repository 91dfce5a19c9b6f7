import { ApiError } from '@parley/client';
import type { Chat, StoredMessage } from '@parley/client/store';
import {
  AlarmClock,
  Captions,
  CircleCheck,
  Copy,
  Flag,
  Forward,
  Link,
  MessagesSquare,
  Pencil,
  Pin,
  PinOff,
  RefreshCw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { errorText } from '../../words/error-text.ts';
import type { Page } from '../../browser/page.ts';
import { chatRoute } from '../../browser/route.ts';
import type { Session } from '../../session/session.ts';
import type { Composings, Note } from '../../composer/composing/composing.ts';
import type { MenuAction } from '../../ui/overlays/menu.tsx';
import { isTranscribable } from '../../files/transcribable.ts';
import { isManager } from '../../chats/chat/roles.ts';
import { isSelectable } from '../selection/selection.ts';
import { copyText } from './copy-text.ts';
import { mayRetry } from './use-may-retry.ts';
import { t } from '../../words/t.ts';
import { writtenText } from '../../words/written-text.ts';

interface MenuContext {
  session: Session;
  navigation: Pick<Page['navigation'], 'navigate' | 'addressOf'>;
  composings: Composings;
  chat: Chat;
  message: StoredMessage;
  isOwn: boolean;
  /** Null where nothing can be selected. */
  onSelect: (() => void) | null;
  onForward: () => void;
  onRemind: () => void;
  onWithdraw: () => void;
  onReport: () => void;
  onDelete: () => void;
}

/** The text of a message; of a voice message, what was heard in it. */
const textOf = (message: StoredMessage): string =>
  [writtenText(message), ...message.attachments.map(({ transcript }) => transcript)].filter(Boolean).join('\n');

/** Whether the user may take back what is asked (DECIDE-11): never what the service itself asks. */
const mayWithdraw = ({ username, may }: Session, chat: Chat, { decision, sender }: StoredMessage): boolean =>
  decision?.kind === 'question' &&
  decision.state === 'open' &&
  may('withdrawDecision') &&
  (sender.username === username ||
    sender.parent_username === username ||
    (chat.kind === 'group' && isManager(chat, username)));

/** The menu items for a message: depends on its state and on what the user may do. */
export function menuOf({
  session,
  navigation: { navigate, addressOf },
  composings,
  chat,
  message,
  isOwn,
  onSelect,
  onForward,
  onRemind,
  onWithdraw,
  onReport,
  onDelete,
}: MenuContext): (MenuAction | null)[] {
  const { client, store, may } = session;
  const { id: message_id, channel_id, thread_root_id, status } = message;
  const chat_id = chat.id;
  const isOver = status !== 'streaming';
  const isPinned = chat.pinned_message_ids.includes(message_id);
  const mayPin = may('pinMessage') && isManager(chat, session.username);
  const place = { chat_id, channel_id, thread_root_id };
  const note = (given: Note): void => composings.signal('note', place, given);
  const tell = (call: Promise<unknown>): void =>
    void call.catch((error: unknown) => note({ text: errorText(error), isError: true }));
  const copy = (text: string): void => void copyText(text).then(note);
  const link = addressOf(
    chatRoute(chat_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: message_id }),
  );
  const items: (MenuAction | null | false)[] = [
    thread_root_id === null && {
      label: t('Reply in thread'),
      icon: <MessagesSquare />,
      onSelect: () => navigate(chatRoute(chat_id, { channelId: channel_id, threadRootId: message_id })),
    },
    isOwn &&
      !message.poll &&
      !message.decision && {
        label: t('Edit'),
        icon: <Pencil />,
        onSelect: () => composings.set(place, { editing: message_id }),
      },
    mayRetry(store, chat, message, session.username) && {
      label: t('Answer again'),
      icon: <RefreshCw />,
      onSelect: () => tell(client.call('retryReply', { message_id })),
    },
    may('transcribeMessage') &&
      isTranscribable(store, chat, message) && {
        label: t('Transcribe'),
        icon: <Captions />,
        onSelect: () => {
          note({ text: t('Transcribing …'), isError: false, isLasting: true });
          const call = client.call('transcribeMessage', { message_id });
          call.then(
            () => note({ text: t('Transcribed.'), isError: false }),
            (error: unknown) => note({ text: whyNoTranscript(error), isError: true }),
          );
        },
      },
    textOf(message) !== '' && {
      label: t('Copy text'),
      icon: <Copy />,
      onSelect: () => copy(textOf(store.message(message.key).get() ?? message)),
    },
    link !== null && { label: t('Copy link'), icon: <Link />, onSelect: () => copy(link) },
    isOver && may('forwardMessages') && { label: t('Forward'), icon: <Forward />, onSelect: onForward },
    onSelect !== null && isSelectable(message) && { label: t('Select'), icon: <CircleCheck />, onSelect },
    isOver && may('remindMe') && { label: t('Remind me'), icon: <AlarmClock />, onSelect: onRemind },
    mayWithdraw(session, chat, message) && { label: t('Withdraw'), icon: <Undo2 />, onSelect: onWithdraw },
    mayPin && {
      label: isPinned ? t('Unpin') : t('Pin'),
      icon: isPinned ? <PinOff /> : <Pin />,
      onSelect: () =>
        tell(
          client
            .call(isPinned ? 'unpinMessage' : 'pinMessage', { chat_id, message_id })
            .then((changed) => store.putChat(changed)),
        ),
    },
    null,
    !isOwn && isOver && may('reportMessage') && { label: t('Report …'), icon: <Flag />, onSelect: onReport },
    { label: t('Delete'), icon: <Trash2 />, onSelect: onDelete, isDanger: true },
  ];
  return items.filter((item) => item !== false);
}

/** The service speaks of the agent that it has asked, which the reader does not know. */
const whyNoTranscript = (error: unknown): string =>
  error instanceof ApiError && error.description.includes('transcribes')
    ? t('No agent in this conversation can transcribe voice messages.')
    : errorText(error);
