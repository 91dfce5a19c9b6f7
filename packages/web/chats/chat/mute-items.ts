import type { Session } from '../../session/session.ts';
import type { MenuAction } from '../../ui/overlays/menu.tsx';
import { t } from '../../words/t.ts';

const HOUR_S = 3_600;

interface Muted {
  id: string;
  /** One channel of it; without it the whole conversation. */
  channelId?: string;
}

/** Stores whether a conversation or a channel is muted, and for how many seconds; without a number until it is unmuted. */
export async function setMute(
  { client, store }: Session,
  { id, channelId }: Muted,
  isMuted: boolean,
  seconds?: number,
) {
  store.putChat(
    await client.call('setChatNotifications', {
      chat_id: id,
      is_muted: isMuted,
      ...(channelId !== undefined && { channel_id: channelId }),
      ...(seconds !== undefined && { mute_for: seconds }),
    }),
  );
}

/** How long a conversation can be muted. */
export const muteItems = (mute: (seconds?: number) => void): MenuAction[] => [
  { label: t('For 1 hour'), onSelect: () => mute(HOUR_S) },
  { label: t('For 8 hours'), onSelect: () => mute(8 * HOUR_S) },
  { label: t('For 1 week'), onSelect: () => mute(7 * 24 * HOUR_S) },
  { label: t('Until I unmute it'), onSelect: () => mute() },
];
