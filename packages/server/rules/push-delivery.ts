// Whom a message is pushed to, and what the push says. Who is live is told by the caller; who takes part, is a human and
// has a token that is good for anything is the store's to say (`pushTarget`).

import type { DeviceNotifPref, NotifPrefs } from '@parley/protocol';

/** The body where the text is not to be shown, or where there is none (PUSH-2). */
export const GENERIC_BODY = 'New message';
/** UTF-16 code units, as push services and phones count. */
const BODY_LENGTH = 240;

export type ChatKind = 'direct' | 'group';

export interface PushSituation {
  recipient: {
    /** A WebSocket of theirs was heard from of late. */
    isLive: boolean;
    isSender: boolean;
    isMuted: boolean;
    prefs: NotifPrefs;
    /** Null for a token that is bound to no session, and for a device that has set nothing. */
    device: DeviceNotifPref | null;
  };
  chat: { kind: ChatKind; title: string | null };
  /** `text` is plain already. */
  message: { senderName: string; text: string };
}

export interface PushContent {
  title: string;
  body: string;
  sound: boolean;
}

/** What a recipient wants to be notified of, apart from being live: by mute, category and device switch (PUSH-1). */
export function wantsPush(
  { isMuted, prefs, device }: Pick<PushSituation['recipient'], 'isMuted' | 'prefs' | 'device'>,
  kind: ChatKind,
): boolean {
  return !isMuted && device?.enabled !== false && categoryOf(prefs, kind).enabled;
}

/** A badge is of no single conversation: one enabled category is enough (PUSH-23). */
export const wantsBadge = (prefs: NotifPrefs, device: DeviceNotifPref | null): boolean =>
  device?.enabled !== false && (prefs.private_chats.enabled || prefs.group_chats.enabled);

export const categoryOf = (prefs: NotifPrefs, kind: ChatKind): NotifPrefs['private_chats'] =>
  kind === 'direct' ? prefs.private_chats : prefs.group_chats;

/** What is pushed to one endpoint; null when nothing is (PUSH-1). */
export function pushFor({ recipient, chat, message }: PushSituation): PushContent | null {
  const { prefs } = recipient;
  const category = categoryOf(prefs, chat.kind);
  if (recipient.isSender || recipient.isLive || !wantsPush(recipient, chat.kind)) return null;
  return {
    title: titleOf(chat, message.senderName),
    body: prefs.message_preview && category.preview ? bodyOf(chat.kind, message) : GENERIC_BODY,
    sound: category.sound,
  };
}

/** A group is named by its title, a direct chat by whom it is with (PUSH-3). */
const titleOf = (chat: PushSituation['chat'], senderName: string): string =>
  chat.kind === 'group' && chat.title ? chat.title : senderName;

function bodyOf(kind: ChatKind, { senderName, text }: PushSituation['message']): string {
  const shown = text === '' ? GENERIC_BODY : text;
  return cut(kind === 'group' ? `${senderName}: ${shown}` : shown);
}

/** Never through a character of two code units (PUSH-5). */
function cut(text: string): string {
  if (text.length <= BODY_LENGTH) return text;
  const last = text.charCodeAt(BODY_LENGTH - 1);
  const isFirstHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isFirstHalf ? BODY_LENGTH - 1 : BODY_LENGTH);
}

/** What the badge counts: unread messages or conversations with some, with groups or without; null for no badge (PUSH-6). */
export function badgeCounts({ enabled, include_groups, count_messages }: NotifPrefs['badge']) {
  return enabled
    ? { what: count_messages ? ('messages' as const) : ('chats' as const), withGroups: include_groups }
    : null;
}
