import { AtSign, MessageCircle } from 'lucide-react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { shownName } from '../../words/shown-name.ts';
import { Menu } from '../../ui/menu.tsx';
import styles from './markdown.module.css';
import { useShownMessage } from './shown-message.ts';

interface MentionProps {
  username: string;
  /** As it was written. */
  text: string;
}

/** Somebody who takes part: a press tells who it is, and leads to a chat of two. Anyone else is text. */
export function MentionView({ username, text }: MentionProps) {
  const name = useShownMessage().nameOf(username);
  return name === undefined ? text : <KnownMention username={username} text={text} name={name ?? username} />;
}

function KnownMention({ username, text, name }: MentionProps & { name: string }) {
  const navigate = useNavigate();
  const { me } = useShownMessage();
  const { store, client } = useSession();
  const account = useCell(store.account(username));
  const label = account ? shownName(account) : name;
  // The name is shown in place of what was written, which stays the text: that is what one copies.
  const shown = { title: `@${username}`, 'data-name': `@${label}` };
  const written = <span className={styles['written']}>{text}</span>;
  if (username === me)
    return (
      <span className={classNames(styles['mention'], styles['me'])} {...shown}>
        {written}
      </span>
    );
  async function open() {
    const chat = await client.call('startChat', { username });
    store.putChat(chat);
    navigate(chatRoute(chat.id));
  }
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles['mention']} aria-label={`@${label}`} {...shown}>
          {written}
        </button>
      }
      items={[
        { label: `Message ${label}`, icon: <MessageCircle />, onSelect: () => void open().catch(() => undefined) },
        { label: 'Copy username', icon: <AtSign />, onSelect: () => void navigator.clipboard?.writeText(username) },
      ]}
    />
  );
}
