import type { Chat } from '@parley/client/store';
import { MessagesSquare } from 'lucide-react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import styles from './timeline-view.module.css';
import { useMessageRow } from '../../session/use-message-row.ts';
import { t } from '../../words/t.ts';

/** A link to the thread with new replies, which this timeline does not show. */
export function ThreadNews({ chat }: { chat: Chat }) {
  const navigate = useNavigate();
  const { username } = useSession();
  const last = useMessageRow(chat.last_message_id ?? '');
  const rootId = last?.thread_root_id ?? null;
  if (!last || rootId === null || chat.unread_count === 0) return null;
  if (last.sender.username === username || last.position <= chat.last_read_position) return null;
  const open = () => navigate(chatRoute(chat.id, { channelId: last.channel_id, threadRootId: rootId }));
  return (
    <button type="button" className={styles['threadNews']} onClick={open}>
      <MessagesSquare />
      {t('New replies in a thread')}
    </button>
  );
}
