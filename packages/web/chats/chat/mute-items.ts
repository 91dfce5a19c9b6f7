import type { Chat } from '@parley/client/store';
import type { Session } from '../../session/session.ts';
import type { MenuAction } from '../../ui/overlays/menu.tsx';
import { t } from '../../words/t.ts';

const HOUR_S = 3_600;

/** Stores whether a conversation is muted, and for how many seconds; without a number until it is unmuted. */
export async function setMute({ client, store }: Session, chat: Chat, isMuted: boolean, seconds?: number) {
  const change = { chat_id: chat.id, is_muted: isMuted, ...(seconds !== undefined && { mute_for: seconds }) };
  store.putChat(await client.call('setChatNotifications', change));
}

/** How long a conversation can be muted. */
export const muteItems = (mute: (seconds?: number) => void): MenuAction[] => [
  { label: t('For 1 hour'), onSelect: () => mute(HOUR_S) },
  { label: t('For 8 hours'), onSelect: () => mute(8 * HOUR_S) },
  { label: t('For 1 week'), onSelect: () => mute(7 * 24 * HOUR_S) },
  { label: t('Until I unmute it'), onSelect: () => mute() },
];
