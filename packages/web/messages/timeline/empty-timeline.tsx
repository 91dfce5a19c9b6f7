import type { Chat } from '@parley/client/store';
import { useSession } from '../../session/session.ts';
import { partnerOf } from '../../chats/chat/chat-title.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import styles from './empty-timeline.module.css';

/** Suggested questions for the built-in guide, which answers without a key. */
const GUIDE = 'parley:guide';
const questions = [
  'What can I do here?',
  'How do I set a key?',
  'How do agents work in groups?',
  'How do I write a bot?',
];

/** Shown in an empty timeline. The guide's chat suggests questions. */
export function EmptyTimeline({ chat, isThread }: { chat: Chat; isThread: boolean }) {
  const { client, username } = useSession();
  if (isThread) return <EmptyState title="No replies yet. Write the first one." />;
  if (chat.kind !== 'direct' || partnerOf(chat, username)?.username !== GUIDE)
    return <EmptyState title="No messages yet. Say hello." />;
  return (
    <EmptyState title="The guide answers right away and needs no key. Ask it anything, or try one of these.">
      <div className={styles['questions']}>
        {questions.map((text) => (
          <Button key={text} size="small" onClick={() => client.send({ chat_id: chat.id, text })}>
            {text}
          </Button>
        ))}
      </div>
    </EmptyState>
  );
}
