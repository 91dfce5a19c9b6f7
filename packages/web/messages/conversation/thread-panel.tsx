import type { Chat } from '@parley/client/store';
import { X } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useStore } from '../../session/session.ts';
import { Composer } from '../../composer/composer.tsx';
import { DropZone } from '../../composer/uploads/drop-zone.tsx';
import { IconButton } from '../../ui/button.tsx';
import { MessageRow } from '../message/message-row.tsx';
import { SelectableTimeline } from './selectable-timeline.tsx';
import styles from './thread-panel.module.css';
import { useMessageRow } from '../../session/use-message-row.ts';
import { t } from '../../words/t.ts';

interface ThreadPanelProps {
  chat: Chat;
  channelId: string | null;
  rootId: string;
  targetId: string | null;
}

/** A thread next to its conversation; on a phone it covers it. */
export function ThreadPanel({ chat, channelId, rootId, targetId }: ThreadPanelProps) {
  const navigate = useNavigate();
  const store = useStore();
  const root = useMessageRow(rootId);
  useEffect(() => {
    if (!root) void store.loadMessages([rootId]).catch(() => undefined);
  }, [store, rootId, root]);
  const close = useCallback(() => navigate(chatRoute(chat.id, { channelId })), [navigate, chat.id, channelId]);
  const onTarget = useCallback(
    () => navigate(chatRoute(chat.id, { channelId, threadRootId: rootId }), { replace: true }),
    [navigate, chat.id, channelId, rootId],
  );
  /** Escape closes the thread, unless something inside or above it handled the key. */
  const onKeyDown = (event: KeyboardEvent) => {
    const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || event.defaultPrevented || !isWithin) return;
    event.preventDefault();
    close();
  };
  const place = { chat_id: chat.id, channel_id: channelId, thread_root_id: rootId };
  return (
    <DropZone place={place} className={styles['panel']} label={t('Thread')} onKeyDown={onKeyDown}>
      <header className="ui-header ui-panel-header">
        <h2>{t('Thread')}</h2>
        <IconButton label={t('Close the thread')} icon={<X />} onClick={close} />
      </header>
      {root ? (
        <div className={styles['root']} data-thread-root>
          <MessageRow chat={chat} message={root} isJoined={false} isTarget={false} isTabStop isRoot />
        </div>
      ) : null}
      <SelectableTimeline chat={chat} timeline={store.timeline(place)} target={targetId} onTarget={onTarget}>
        <Composer chat={chat} channelId={channelId} threadRootId={rootId} />
      </SelectableTimeline>
    </DropZone>
  );
}
