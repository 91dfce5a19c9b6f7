import { AtSign, Info, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { mayBeginChat } from '../../session/may-begin-chat.ts';
import { useOpenProfile } from '../../session/open-profile.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { chatRefusal } from '../../words/chat-refusal.ts';
import { shownName } from '../../words/shown-name.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import styles from './markdown.module.css';
import { useShownMessage } from './shown-message.ts';
import { t } from '../../words/t.ts';

interface MentionProps {
  username: string;
  /** The text as written. */
  text: string;
  /** Within a link, which must not contain interactive elements. */
  isLinked?: boolean;
}

/** A mention. Participants get a menu with their name and a direct chat; other names stay text. */
export function MentionView({ username, text, isLinked = false }: MentionProps) {
  const { me, nameOf, isGroup, isForMe } = useShownMessage();
  const name = nameOf(username);
  if (name === undefined && isGroup?.(username))
    return (
      <span className={classNames(styles['mention'], isForMe && styles['me'])} dir="auto">
        {text}
      </span>
    );
  if (name === undefined) return <bdi>{text}</bdi>;
  // Inside a link the username stays as written, because the text of a link shows where it leads.
  if (isLinked) return <span className={classNames(styles['mention'], username === me && styles['me'])}>{text}</span>;
  // The key: what may be done with one account is not kept for another.
  return <KnownMention key={username} username={username} text={text} name={name ?? username} />;
}

function KnownMention({ username, text, name }: Omit<MentionProps, 'isLinked'> & { name: string }) {
  const navigate = useNavigate();
  const { me } = useShownMessage();
  const openProfile = useOpenProfile();
  const session = useSession();
  const { store, client } = session;
  const isAgent = username.includes(':');
  // Of an agent it is asked when the menu opens.
  const [mayChat, setMayChat] = useState(!isAgent && session.may('startChat'));
  const [problem, setProblem] = useState<string | null>(null);
  const account = useCell(store.account(username));
  const label = account ? shownName(account) : name;
  // The display name is drawn by CSS; the text stays as written, so that copying yields the original.
  // With a direction of its own it does not decide the paragraph’s (`dir="auto"`).
  const shown = { title: `@${username}`, 'data-name': `@${label}`, dir: 'auto' };
  const written = <span className={styles['written']}>{text}</span>;
  if (username === me)
    return (
      <span className={classNames(styles['mention'], styles['me'])} {...shown}>
        {written}
      </span>
    );
  async function open() {
    try {
      const chat = await client.call('startChat', { username });
      store.putChat(chat);
      navigate(chatRoute(chat.id));
    } catch (error) {
      setProblem(chatRefusal(error, isAgent));
    }
  }
  const look = (isOpen: boolean): void => {
    if (!isOpen) return;
    setProblem(null);
    if (isAgent) void mayBeginChat(session, username).then(setMayChat);
  };
  const menu = (
    <Menu
      align="start"
      onOpenChange={look}
      trigger={
        <button
          type="button"
          className={classNames(styles['mention'], 'ui-press ui-underline')}
          aria-label={`@${label}`}
          {...shown}
        >
          {written}
        </button>
      }
      items={[
        ...(mayChat
          ? [
              {
                label: t('Message {name}', { name: label }),
                icon: <MessageCircle />,
                onSelect: () => void open(),
              },
            ]
          : []),
        ...(openProfile ? [{ label: t('Profile'), icon: <Info />, onSelect: () => openProfile(username) }] : []),
        { label: t('Copy username'), icon: <AtSign />, onSelect: () => void navigator.clipboard?.writeText(username) },
      ]}
    />
  );
  if (problem === null) return menu;
  return (
    <>
      {menu}{' '}
      <span role="alert" className="ui-danger ui-aside">
        {problem}
      </span>
    </>
  );
}
