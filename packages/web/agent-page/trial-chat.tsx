import { MessageCircle, SquareArrowOutUpRight } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { usePage } from '../browser/page.ts';
import { chatRoute } from '../browser/route.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { Composer } from '../composer/composer.tsx';
import { DropZone } from '../composer/uploads/drop-zone.tsx';
import { TimelineView } from '../messages/timeline/timeline-view.tsx';
import { useSession } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import styles from './agent-page.module.css';
import { t } from '../words/t.ts';

interface TrialChatProps {
  /** null until the agent is made. */
  username: string | null;
  /** Opens the chat right away; otherwise the user asks for it, so that looking at an agent starts no chat. */
  isWanted: boolean;
}

/** The user's chat with the agent, beside the form. */
export function TrialChat({ username, isWanted }: TrialChatProps) {
  const [isOpen, setIsOpen] = useState(isWanted);
  if (username === null)
    return <EmptyState icon={<MessageCircle aria-hidden />} title={t('Create it in two steps, then try it here.')} />;
  if (isOpen) return <Loading username={username} />;
  return (
    <EmptyState
      icon={<MessageCircle aria-hidden />}
      title={t('Chat with it while you change it. What you save counts from your next message.')}
    >
      <Button onClick={() => setIsOpen(true)}>{t('Try it')}</Button>
    </EmptyState>
  );
}

function Loading({ username }: { username: string }) {
  const { client, store } = useSession();
  const load = useCallback(async () => {
    const chat = await client.call('startChat', { username });
    store.putChat(chat);
    return chat.id;
  }, [client, store, username]);
  const id = useLoaded(load);
  return (
    <LoadedView loaded={id} label={t('Opening the chat')}>
      {(chatId) => <Talk chatId={chatId} />}
    </LoadedView>
  );
}

const nothing = () => undefined;

function Talk({ chatId }: { chatId: string }) {
  const navigate = useNavigate();
  const { beside } = usePage();
  const { client, store } = useSession();
  const chat = useCell(store.chat(chatId));
  useEffect(() => {
    client.setFocus({ chat_id: chatId, channel_id: null, thread_root_id: null });
    beside.chatId = chatId;
    return () => {
      client.setFocus(null);
      beside.chatId = null;
    };
  }, [client, beside, chatId]);
  const place = useMemo(() => ({ chat_id: chatId, channel_id: null }), [chatId]);
  if (!chat) return null;
  return (
    <DropZone place={place} className={styles['talk']} label={t('Try it')}>
      <header className={styles['trialHead']}>
        <h2 className="ui-title">{t('Try it')}</h2>
        <Button size="small" look="quiet" onClick={() => navigate(chatRoute(chatId))}>
          <SquareArrowOutUpRight aria-hidden /> {t('Open the chat')}
        </Button>
      </header>
      <TimelineView chat={chat} timeline={store.timeline(place)} target={null} onTarget={nothing} />
      <Composer chat={chat} channelId={null} threadRootId={null} />
    </DropZone>
  );
}
