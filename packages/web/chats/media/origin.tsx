import type { Message } from '@parley/protocol';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { shortTime } from '../../words/times.ts';
import styles from './chat-media.module.css';

/** Who sent it and when; leads to the message. */
export function Origin({ message }: { message: Message }) {
  const navigate = useNavigate();
  const { id, conversation_id, channel_id, thread_root_id, sender, created_at } = message;
  const route = chatRoute(conversation_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id });
  return (
    <button type="button" className={styles['origin']} title={t('Show in chat')} onClick={() => navigate(route)}>
      {shownName(sender)} · {shortTime(created_at)}
    </button>
  );
}
