import type { Chat, Timeline } from '@parley/client/store';
import { lazy, Suspense } from 'react';
import { useSession } from '../../session/session.ts';
import { agentOf, partnerOf } from '../../chats/chat/chat-title.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import styles from './empty-timeline.module.css';
import { GUIDE, HELP } from '../../words/service-names.ts';
import { t } from '../../words/t.ts';

const EmptyChat = lazy(async () => import('./empty-chat.tsx'));

/** Suggested questions for the built-in guide, which answers without a key. */
const questions = [
  t('What can I do here?'),
  t('How do I make an agent?'),
  t('How do I invite a friend?'),
  t('How do I change the language?'),
];

/** Shown in an empty timeline: what to write first. The guide's chat suggests questions. */
export function EmptyTimeline({ chat, place }: { chat: Chat; place: Timeline['key'] }) {
  const { client, username } = useSession();
  if (place.thread_root_id !== null) return <EmptyState title={t('No replies yet. Write the first one.')} />;
  const isGuide = chat.kind === 'direct' && partnerOf(chat, username)?.username === GUIDE;
  if (!isGuide && (chat.kind === 'group' || agentOf(chat, username)))
    return (
      <Suspense fallback={null}>
        <EmptyChat chat={chat} place={place} />
      </Suspense>
    );
  if (!isGuide) return <EmptyState title={t('No messages yet. Say hello.')} />;
  return (
    <EmptyState title={t('The guide answers right away and needs no key. Ask it about Parley, or try one of these.')}>
      <div className={styles['questions']}>
        {questions.map((text) => (
          <Button key={text} size="small" onClick={() => client.send({ chat_id: chat.id, text })}>
            {text}
          </Button>
        ))}
      </div>
      <a href={HELP} target="_blank">
        {t('Help')}
      </a>
    </EmptyState>
  );
}
