import type { Chat } from '@parley/client/store';
import { Bell, BellOff, Search } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { shortTime } from '../../words/times.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from '../chat/details.module.css';
import { isSavedMessages } from '../chat/chat-title.ts';
import { muteItems, setMute } from '../chat/mute-items.ts';
import { Palette } from '../palette/palette.tsx';

const FAR_YEARS = 50;

/** Buttons to mute this conversation and to search in it. */
export function QuickActions({ chat }: { chat: Chat }) {
  const session = useSession();
  const [isSearching, setIsSearching] = useState(false);
  const { isBusy, errorBut, submit } = useSubmit();
  const set = (isMuted: boolean, seconds?: number) => void submit(async () => setMute(session, chat, isMuted, seconds));
  return (
    <div className={styles['form']}>
      <div className={styles['quick']}>
        {isSavedMessages(chat) ? null : chat.is_muted ? (
          <Button isBusy={isBusy} onClick={() => set(false)}>
            <Bell size={17} aria-hidden /> Unmute
          </Button>
        ) : (
          <Menu
            align="start"
            trigger={
              <Button isBusy={isBusy}>
                <BellOff size={17} aria-hidden /> Mute
              </Button>
            }
            items={muteItems((seconds) => set(true, seconds))}
          />
        )}
        <Button onClick={() => setIsSearching(true)}>
          <Search size={17} aria-hidden /> Search here
        </Button>
      </div>
      {chat.is_muted ? <p className={styles['faint']}>{mutedText(chat)}</p> : null}
      <Problem text={errorBut()} />
      {isSearching ? <Palette chatId={chat.id} onClose={() => setIsSearching(false)} /> : null}
    </div>
  );
}

function mutedText({ muted_until: until }: Chat): string {
  const isFar = until === undefined || new Date(until).getFullYear() - new Date().getFullYear() > FAR_YEARS;
  return isFar ? 'Muted until you unmute it.' : `Muted until ${shortTime(until)}.`;
}
