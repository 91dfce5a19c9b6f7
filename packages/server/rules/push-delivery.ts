// Decides whether a message is pushed to an endpoint, and what the push contains. The statement `pushTarget` has
// already selected human participants with a usable token; the caller passes who is live.

import type { DeviceNotifPref, NotifPrefs } from '@parley/protocol';
import type { PushWords } from './push-words.ts';

/** Maximum length of a body in UTF-16 code units, as push services and phones count. */
const BODY_LENGTH = 240;

export type ChatKind = 'direct' | 'group';

export interface PushSituation {
  recipient: {
    /** One of the recipient's WebSockets gave a recent sign of life. */
    isLive: boolean;
    isSender: boolean;
    isMuted: boolean;
    prefs: NotifPrefs;
    /** Null for a token without a session, and for a device without settings. */
    device: DeviceNotifPref | null;
  };
  chat: { kind: ChatKind; title: string | null };
  /** `text` is plain text, not Markdown. */
  message: { senderName: string; text: string };
  words: PushWords;
}

export interface PushContent {
  title: string;
  body: string;
  sound: boolean;
}

/** Whether mute, category and device settings allow a push to the recipient (PUSH-1). */
export function wantsPush(
  { isMuted, prefs, device }: Pick<PushSituation['recipient'], 'isMuted' | 'prefs' | 'device'>,
  kind: ChatKind,
): boolean {
  return !isMuted && device?.enabled !== false && categoryOf(prefs, kind).enabled;
}

/** A badge belongs to no single conversation, so one enabled category is enough (PUSH-23). */
export const wantsBadge = (prefs: NotifPrefs, device: DeviceNotifPref | null): boolean =>
  device?.enabled !== false && (prefs.private_chats.enabled || prefs.group_chats.enabled);

export const categoryOf = (prefs: NotifPrefs, kind: ChatKind): NotifPrefs['private_chats'] =>
  kind === 'direct' ? prefs.private_chats : prefs.group_chats;

/** The push to one endpoint; null if none is sent (PUSH-1). */
export function pushFor({ recipient, chat, message, words }: PushSituation): PushContent | null {
  const { prefs } = recipient;
  const category = categoryOf(prefs, chat.kind);
  if (recipient.isSender || recipient.isLive || !wantsPush(recipient, chat.kind)) return null;
  return {
    title: titleOf(chat, message.senderName),
    body: prefs.message_preview && category.preview ? bodyOf(chat.kind, message, words) : words.message,
    sound: category.sound,
  };
}

/** The title of a group, or the sender's name in a direct chat and a group without title (PUSH-3). */
const titleOf = (chat: PushSituation['chat'], senderName: string): string =>
  chat.kind === 'group' && chat.title ? chat.title : senderName;

function bodyOf(kind: ChatKind, { senderName, text }: PushSituation['message'], words: PushWords): string {
  const shown = text === '' ? words.message : text;
  return cut(kind === 'group' ? `${senderName}: ${shown}` : shown);
}

/** Cuts a long body, but never within a character of two code units (PUSH-5). */
function cut(text: string): string {
  if (text.length <= BODY_LENGTH) return text;
  const last = text.charCodeAt(BODY_LENGTH - 1);
  const isFirstHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isFirstHalf ? BODY_LENGTH - 1 : BODY_LENGTH);
}

/**
 * Whether the badge counts unread messages or unread conversations, and whether groups count; null for no badge
 * (PUSH-6).
 */
export function badgeCounts({ enabled, include_groups, count_messages }: NotifPrefs['badge']) {
  return enabled
    ? { what: count_messages ? ('messages' as const) : ('chats' as const), withGroups: include_groups }
    : null;
}
