import type { Chat } from '@parley/client/store';
import type { Message, NotifPrefs } from '@parley/protocol';
import type { NotificationPrefs } from './saved-prefs.ts';
import { shownName } from '../words/shown-name.ts';
import { isChannelMuted } from '../chats/chat/channel-mutes.ts';
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

const categoryOf = ({ chat, prefs: { account } }: Arrival): NotifPrefs['private_chats'] =>
  chat.kind === 'group' ? account.group_chats : account.private_chats;

/**
 * What a message is announced with, by the same rules as for pushes: null for own messages, muted conversations, channels and
 * disabled categories (WEB-64, WEB-671).
 */
export function noticeOf(arrival: Arrival): NonNullable<InAppNotice['toast']> | null {
  const { message, chat, openChatId, me, isBlocked, prefs, now, nameOf } = arrival;
  const category = categoryOf(arrival);
  const isMuted =
    (chat.is_muted && (chat.muted_until === undefined || Date.parse(chat.muted_until) > now)) ||
    chat.channels.some((channel) => channel.id === message.channel_id && isChannelMuted(channel, now));
  const isQuiet = isMuted || isBlocked || !category.enabled || chat.id === openChatId;
  if (isQuiet || !isNews(message, me)) return null;
  const sender = shownName(message.sender);
  const words = prefs.account.message_preview && category.preview ? plainLine(message, nameOf) : t('New message');
  return {
    title: chatTitle(chat, me),
    text: chat.kind === 'group' ? t('{name}: {text}', { name: sender, text: words }) : words,
  };
}

/** How the page that somebody looks at announces a message (WEB-64). */
export function inAppNotice(arrival: Arrival): InAppNotice {
  const notice = noticeOf(arrival);
  if (!notice) return none;
  const { device } = arrival.prefs;
  const category = categoryOf(arrival);
  return {
    toast: device.in_app.preview ? notice : null,
    hasSound: device.in_app.sounds && category.sound,
    vibrates: device.in_app.vibrate,
  };
}
