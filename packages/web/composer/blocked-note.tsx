import type { Chat } from '@parley/client/store';
import { Ban } from 'lucide-react';
import { useSession } from '../session/session.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/states/problem.tsx';
import styles from './blocked-note.module.css';
import { isSavedMessages, partnerOf } from '../chats/chat/chat-title.ts';
import { useBlock, useBlockedNames } from '../chats/people/use-block.ts';
import { isOwnAgent } from '../chats/people/use-known-people.ts';
import { t } from '../words/t.ts';

/** The blocked name that prevents writing in this chat; null if writing is possible. */
export function useBlockIn(chat: Chat): string | null {
  const { username } = useSession();
  const partner = chat.kind === 'direct' && !isSavedMessages(chat) ? partnerOf(chat, username) : undefined;
  return useBlock(partner && !isOwnAgent(partner, username) ? partner.username : null);
}

/** Replaces the composer in a chat where the service would refuse any message (WEB-19). */
export function BlockedNote({ chat, blocked }: { chat: Chat; blocked: string }) {
  const { username } = useSession();
  const names = useBlockedNames();
  const { isBusy, errorBut, submit } = useSubmit();
  const partner = partnerOf(chat, username);
  const isOwner = partner?.username !== blocked;
  return (
    <div className={styles['note']} role="group" aria-label={t('Blocked')}>
      <p className={styles['line']}>
        <Ban aria-hidden />
        <span className="ui-break">
          {isOwner
            ? t('You blocked @{owner}, whose agent this is.', { owner: blocked })
            : t('You blocked {name}.', { name: partner.display_name })}
        </span>
        <Button size="small" isBusy={isBusy} onClick={() => void submit(() => names.unblock(blocked))}>
          {t('Unblock')}
        </Button>
      </p>
      <Problem text={errorBut()} />
    </div>
  );
}
