import type { Chat } from '@parley/client/store';
import { Bell, BellOff } from 'lucide-react';
import { useSession } from '../../session/session.ts';
import { ContextMenu, type Point } from '../../ui/overlays/context-menu.tsx';
import { errorText } from '../../words/error-text.ts';
import { t } from '../../words/t.ts';
import { isChannelMuted } from '../chat/channel-mutes.ts';
import { muteItems, setMute } from '../chat/mute-items.ts';

interface ChannelMenuProps {
  chat: Chat;
  channelId: string;
  at: Element | Point;
  /** Gets the focus when the menu closes. */
  row: HTMLElement | null;
  onProblem: (text: string) => void;
  onClose: () => void;
}

/** The menu of a channel's row in the list. */
export default function ChannelMenu({ chat, channelId, at, row, onProblem, onClose }: ChannelMenuProps) {
  const session = useSession();
  const channel = chat.channels.find(({ id }) => id === channelId);
  if (!channel) return null;
  const mute = (isMuted: boolean, seconds?: number): void =>
    void setMute(session, { id: chat.id, channelId }, isMuted, seconds).catch((error: unknown) =>
      onProblem(errorText(error)),
    );
  return (
    <ContextMenu
      label={t('Actions for {title}', { title: `#${channel.title}` })}
      items={[
        isChannelMuted(channel)
          ? { label: t('Unmute'), icon: <Bell />, onSelect: () => mute(false) }
          : { label: t('Mute'), icon: <BellOff />, items: muteItems((seconds) => mute(true, seconds)) },
      ]}
      at={at}
      returnTo={row}
      onClose={onClose}
    />
  );
}
