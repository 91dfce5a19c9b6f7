import { ApiError } from '@parley/client';
import type { Chat } from '@parley/client/store';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, type Route } from '../../browser/route.ts';
import { t } from '../../words/t.ts';
import { dayStart } from '../../words/times.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Composer } from '../../composer/composer.tsx';
import { useComposings } from '../../composer/composing/composing.ts';
import { isTouch } from '../../browser/touch.ts';
import { DropZone } from '../../composer/uploads/drop-zone.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { LoadingPage } from '../../ui/states/loading-page.tsx';
import styles from './conversation.module.css';
import { PinsBar } from './pins-bar.tsx';
import { ThreadPanel } from './thread-panel.tsx';
import { SelectableTimeline } from './selectable-timeline.tsx';
import { useEndMark } from './use-end-mark.ts';

export type ChatRoute = Extract<Route, { name: 'chat' }>;

interface OpenConversationProps {
  route: ChatRoute;
  header: (chat: Chat) => ReactNode;
  /** What stands next to the timeline, beside a thread. */
  beside?: (chat: Chat) => ReactNode;
}

/** An open conversation under its header: timeline and composer, with a thread next to them. */
export function OpenConversation({ route, header, beside }: OpenConversationProps) {
  const navigate = useNavigate();
  const { store, client } = useSession();
  const composings = useComposings();
  const { chatId, channelId, threadRootId, messageId, day } = route;
  const chat = useCell(store.chat(chatId));
  useEndMark(chat);

  useEffect(() => {
    client.setFocus({ chat_id: chatId, channel_id: channelId, thread_root_id: threadRootId });
    return () => client.setFocus(null);
  }, [client, chatId, channelId, threadRootId]);

  const place = useMemo(() => ({ chat_id: chatId, channel_id: channelId }), [chatId, channelId]);
  const target = useMemo(() => messageId ?? (day === null ? null : dayStart(day)), [messageId, day]);
  const onTarget = useCallback(
    () => navigate(chatRoute(chatId, { channelId, threadRootId }), { replace: true }),
    [navigate, chatId, channelId, threadRootId],
  );
  // After a thread closes, the conversation's composer gets the focus.
  const hadThread = useRef(false);
  useEffect(() => {
    if (hadThread.current && threadRootId === null && !isTouch()) composings.signal('focus', place, null);
    hadThread.current = threadRootId !== null;
  }, [composings, place, threadRootId]);

  if (!chat) return <Missing chatId={chatId} />;
  return (
    <main className="ui-body">
      <DropZone place={place} className={styles['column']} label={t('Conversation')}>
        {header(chat)}
        <PinsBar chat={chat} channelId={channelId} />
        <SelectableTimeline
          key={channelId ?? ''}
          chat={chat}
          timeline={store.timeline(place)}
          target={threadRootId === null ? target : null}
          onTarget={onTarget}
        >
          <Composer chat={chat} channelId={channelId} threadRootId={null} />
        </SelectableTimeline>
      </DropZone>
      {threadRootId === null ? null : (
        <ThreadPanel key={threadRootId} chat={chat} channelId={channelId} rootId={threadRootId} targetId={messageId} />
      )}
      {beside?.(chat)}
    </main>
  );
}

const outCodes: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'invalid_argument']);

/** Shown while a conversation is not loaded, or if the user is not in it. */
function Missing({ chatId }: { chatId: string }) {
  const { store, client } = useSession();
  const [isOut, setIsOut] = useState(false);
  const isLive = useCell(client.stateCell) === 'live';
  useEffect(() => {
    let isCurrent = true;
    client.api.getChat({ chat_id: chatId }).then(
      (chat) => isCurrent && store.putChat(chat),
      // A network error does not count: the request is repeated after reconnecting.
      (error: unknown) => isCurrent && error instanceof ApiError && outCodes.has(error.code) && setIsOut(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, store, chatId, isLive]);
  return isOut ? (
    <EmptyState title={t('You’re not in this conversation, or it was deleted.')} />
  ) : (
    <LoadingPage label={t('Loading the conversation')} />
  );
}
