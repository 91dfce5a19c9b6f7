import { AtSign, MessageCircle } from 'lucide-react';
import { classNames } from '../app/class-names.ts';
import { chatRoute, navigate } from '../app/route.ts';
import { useSession } from '../app/session.ts';
import { useCell } from '../app/use-cell.ts';
import { Menu } from '../ui/menu.tsx';
import styles from './markdown.module.css';
import { useShownMessage } from './shown-message.ts';

/** Somebody who takes part: a press tells who it is, and leads to a chat of two. Anyone else is text. */
export function MentionView({ username, text }: { username: string; text: string }) {
  const { isKnown, me } = useShownMessage();
  if (!isKnown(username)) return text;
  if (username === me) return <span className={classNames(styles['mention'], styles['me'])}>{text}</span>;
  return <OthersMention username={username} text={text} />;
}

function OthersMention({ username, text }: { username: string; text: string }) {
  const { store, client } = useSession();
  const account = useCell(store.account(username));
  async function open() {
    const chat = await client.call('startChat', { username });
    store.putChat(chat);
    navigate(chatRoute(chat.id));
  }
  const label = `Message ${account?.display_name ?? text}`;
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles['mention']}>
          {text}
        </button>
      }
      items={[
        { label, icon: <MessageCircle />, onSelect: () => void open().catch(() => undefined) },
        { label: 'Copy username', icon: <AtSign />, onSelect: () => void navigator.clipboard?.writeText(username) },
      ]}
    />
  );
}
