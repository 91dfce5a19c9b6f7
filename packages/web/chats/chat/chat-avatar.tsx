import type { Chat } from '@parley/client/store';
import { Bookmark } from 'lucide-react';
import { useCell } from '../../session/use-cell.ts';
import { useSession } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { chatTitle, isSavedMessages, partnerOf } from './chat-title.ts';
import { PresenceDot } from './presence-dot.tsx';
import styles from './chat-avatar.module.css';

/** A conversation's picture: of the partner, of the group, or the bookmark of saved messages. */
export function ChatAvatar({ chat, size = 44 }: { chat: Chat; size?: number }) {
  const { username, store } = useSession();
  const partner = partnerOf(chat, username);
  const account = useCell(store.account(partner?.username ?? username));
  if (isSavedMessages(chat)) return <SavedAvatar size={size} />;
  if (chat.kind === 'group')
    return (
      <Avatar
        name={chatTitle(chat, username)}
        username={chat.id}
        kind="group"
        url={chat.avatar_url ?? undefined}
        size={size}
      />
    );
  return (
    <span className="ui-badged">
      <Avatar
        name={partner?.display_name ?? ''}
        username={partner?.username ?? ''}
        kind={partner?.kind ?? 'human'}
        url={account?.avatar_url}
        size={size}
      />
      {partner ? <PresenceDot username={partner.username} kind={partner.kind} /> : null}
    </span>
  );
}

export const SavedAvatar = ({ size }: { size: number }) => (
  <span className={styles['saved']} style={{ width: size, height: size }} aria-hidden="true">
    <Bookmark />
  </span>
);
