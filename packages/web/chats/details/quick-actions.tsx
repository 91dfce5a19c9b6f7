import type { Chat } from '@parley/client/store';
import { Bell, BellOff, CalendarDays, Search } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from '../chat/details.module.css';
import { isSavedMessages } from '../chat/chat-title.ts';
import { GoToDay } from '../chat/go-to-day.tsx';
import { muteItems, setMute } from '../chat/mute-items.ts';
import { InviteButton } from '../invites/invite-button.tsx';
import { Palette } from '../palette/palette.tsx';

const FAR_YEARS = 50;

/** Buttons to mute this conversation, to search in it and to go to a day of it. */
export function QuickActions({ chat }: { chat: Chat }) {
  const session = useSession();
  const [open, setOpen] = useState<'search' | 'day' | null>(null);
  const close = () => setOpen(null);
  const { isBusy, errorBut, submit } = useSubmit();
  const set = (isMuted: boolean, seconds?: number) => void submit(async () => setMute(session, chat, isMuted, seconds));
  return (
    <div className={styles['form']}>
      <div className={styles['quick']}>
        {isSavedMessages(chat) ? null : chat.is_muted ? (
          <Button isBusy={isBusy} onClick={() => set(false)}>
            <Bell aria-hidden /> {t('Unmute')}
          </Button>
        ) : (
          <Menu
            align="start"
            trigger={
              <Button isBusy={isBusy}>
                <BellOff aria-hidden /> {t('Mute')}
              </Button>
            }
            items={muteItems((seconds) => set(true, seconds))}
          />
        )}
        <InviteButton chat={chat} />
        <Button onClick={() => setOpen('search')}>
          <Search aria-hidden /> {t('Search here')}
        </Button>
        <Button onClick={() => setOpen('day')}>
          <CalendarDays aria-hidden /> {t('Go to a day')}
        </Button>
      </div>
      {chat.is_muted ? <p className="ui-hint">{mutedText(chat)}</p> : null}
      <Problem text={errorBut()} />
      {open === 'search' ? <Palette chatId={chat.id} onClose={close} /> : null}
      {open === 'day' ? <GoToDay onClose={close} /> : null}
    </div>
  );
}

function mutedText({ muted_until: until }: Chat): string {
  const isFar = until === undefined || new Date(until).getFullYear() - new Date().getFullYear() > FAR_YEARS;
  return isFar ? t('Muted until you unmute it.') : t('Muted until {time}.', { time: untilTime(until) });
}
