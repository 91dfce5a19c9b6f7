import type { Chat } from '@parley/client/store';
import type { Message } from '@parley/protocol';
import type { NotificationPrefs } from './saved-prefs.ts';
import { shownName } from '../words/shown-name.ts';
import { chatTitle } from '../chats/chat/chat-title.ts';
import type { NameOf } from '../chats/chat/known-names.ts';
import { plainLine } from '../chats/chat/preview.ts';
import { t } from '../words/t.ts';

/** How the open app notifies about a new message. */
interface InAppNotice {
  readonly toast: { readonly title: string; readonly text: string } | null;
  readonly hasSound: boolean;
  readonly vibrates: boolean;
}

interface Arrival {
  message: Message;
  chat: Chat;
  /** The conversation open on this page. */
  openChatId: string | null;
  me: string;
  isBlocked: boolean;
  prefs: NotificationPrefs;
  now: number;
  nameOf: NameOf;
}

/** Whether a message is from someone else and complete: streaming replies do not notify yet. */
export const isNews = ({ status, service, sender }: Message, me: string): boolean =>
  status === 'complete' && !service && sender.username !== me;

/** Maximum ends that are remembered; the oldest is forgotten first. */
const MAX_ENDS = 1_000;

/** The replies that this page has seen end: one that is continued ends again, which is no news (WEB-64). */
export class SeenEnds {
  readonly #ids = new Set<string>();

  /** Adds the end of a reply. Returns whether it is its first. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    const [oldest] = this.#ids;
    if (oldest !== undefined && this.#ids.size >= MAX_ENDS) this.#ids.delete(oldest);
    this.#ids.add(id);
    return true;
  }
}

const none: InAppNotice = { toast: null, hasSound: false, vibrates: false };

/** Same rules as for pushes: no notice for own messages, muted conversations or disabled categories (WEB-64). */
export function inAppNotice({ message, chat, openChatId, me, isBlocked, prefs, now, nameOf }: Arrival): InAppNotice {
  const { account, device } = prefs;
  const category = chat.kind === 'group' ? account.group_chats : account.private_chats;
  const isMuted = chat.is_muted && (chat.muted_until === undefined || Date.parse(chat.muted_until) > now);
  const isQuiet = isMuted || isBlocked || !category.enabled || chat.id === openChatId;
  if (isQuiet || !isNews(message, me)) return none;
  const sender = shownName(message.sender);
  const words = account.message_preview && category.preview ? plainLine(message, nameOf) : t('New message');
  const toast = {
    title: chatTitle(chat, me),
    text: chat.kind === 'group' ? t('{name}: {text}', { name: sender, text: words }) : words,
  };
  return {
    toast: device.in_app.preview ? toast : null,
    hasSound: device.in_app.sounds && category.sound,
    vibrates: device.in_app.vibrate,
  };
}
