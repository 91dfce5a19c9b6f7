import type { Chat } from '@parley/client/store';
import { ArrowLeft, BellOff, Hash, Info } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { ChatAvatar } from '../../chats/chat/chat-avatar.tsx';
import { isChannelMuted } from '../../chats/chat/channel-mutes.ts';
import { agentBeside, agentOf, chatTitle, isSavedMessages, partnerOf, personOf } from '../../chats/chat/chat-title.ts';
import { PartnerPresence } from '../../chats/chat/partner-presence.tsx';
import { StatusText } from '../../chats/chat/person-status.tsx';
import { MemberCount } from '../../chats/chat/member-count.tsx';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../browser/class-names.ts';
import { shownName } from '../../words/shown-name.ts';
import styles from './conversation-header.module.css';
import { NewChatButton } from './new-chat-button.tsx';
import { t } from '../../words/t.ts';

const InviteIcon = lazy(async () => import('../../chats/invites/invite-button.tsx'));

interface HeaderProps {
  chat: Chat;
  channelId: string | null;
  onDetails: () => void;
}

export function ConversationHeader({ chat, channelId, onDetails }: HeaderProps) {
  const navigate = useNavigate();
  const { username } = useSession();
  const agent = agentOf(chat, username);
  return (
    <header className={styles['header']}>
      <IconButton
        className="ui-phone-only"
        label={t('All conversations')}
        icon={<ArrowLeft />}
        onClick={() => navigate({ name: 'home' })}
      />
      <h1 className={styles['heading']}>
        <button type="button" className={styles['who']} onClick={onDetails}>
          <ConversationName chat={chat} channelId={channelId} />
        </button>
      </h1>
      <Channels chat={chat} channelId={channelId} />
      {agent ? <NewChatButton chat={chat} agent={agent} /> : null}
      {chat.kind === 'group' ? (
        <Suspense fallback={null}>
          <InviteIcon chat={chat} />
        </Suspense>
      ) : null}
      <IconButton label={t('Details')} icon={<Info />} onClick={onDetails} />
    </header>
  );
}

/** Its picture and title, and who is there. */
export function ConversationName({ chat, channelId }: Omit<HeaderProps, 'onDetails'>) {
  const { username } = useSession();
  const person = personOf(chat, username);
  return (
    <>
      <ChatAvatar chat={chat} size={36} />
      <span className="ui-shrink">
        <span className={styles['line']}>
          <span className={classNames(styles['title'], 'ui-strong')} dir="auto">
            {chatTitle(chat, username)}
          </span>
          {person ? <StatusText username={person} /> : null}
        </span>
        <Subtitle chat={chat} channelId={channelId} />
      </span>
    </>
  );
}

/** Shows who is typing, otherwise who is in the conversation. */
function Subtitle({ chat, channelId }: Omit<HeaderProps, 'onDetails'>) {
  const { username, store } = useSession();
  const typing = useCell(store.typing({ chat_id: chat.id, channel_id: channelId }));
  if (typing.length > 0)
    return (
      <span className={classNames(styles['subtitle'], 'ui-small ui-accent')}>
        {chat.kind === 'direct' ? t('typing …') : typingText(typing.map(shownName))}
      </span>
    );
  if (chat.kind === 'group')
    return (
      <span className={classNames(styles['subtitle'], 'ui-small')}>
        <MemberCount chat={chat} />
      </span>
    );
  const partner = partnerOf(chat, username);
  const text = isSavedMessages(chat) ? (
    t('Only you can see this')
  ) : chat.is_separate ? (
    agentBeside(chat, username)
  ) : partner ? (
    <PartnerPresence chat={chat} partner={partner} />
  ) : null;
  return <span className={classNames(styles['subtitle'], 'ui-small')}>{text}</span>;
}

function typingText([first = '', second, ...more]: readonly string[]): string {
  if (second === undefined) return t('{name} is typing …', { name: first });
  return more.length === 0
    ? t('{first} and {second} are typing …', { first, second })
    : t('{name} and {count, plural, one {# other} other {# others}} are typing …', {
        name: first,
        count: more.length + 1,
      });
}

const channelTab = (channel: Chat['channels'][number]) => ({ ...channel, isMuted: isChannelMuted(channel) });

/** The channels of a group that has some. */
export function Channels({ chat, channelId }: Omit<HeaderProps, 'onDetails'>) {
  const navigate = useNavigate();
  if (chat.channels.length === 0) return null;
  const places = [{ id: null, title: t('general'), unread_count: 0, isMuted: false }, ...chat.channels.map(channelTab)];
  return (
    <nav className={styles['channels']} aria-label={t('Channels')}>
      {places.map(({ id, title, unread_count, isMuted }) => (
        <button
          key={id ?? ''}
          type="button"
          className={id === channelId ? undefined : 'ui-hover'}
          aria-current={id === channelId ? 'page' : undefined}
          onClick={() => navigate(chatRoute(chat.id, { channelId: id }))}
        >
          <Hash />
          {title}
          {isMuted ? <BellOff role="img" aria-label={t('muted')} /> : null}
          {unread_count > 0 ? (
            <span className={classNames(styles['count'], isMuted && 'ui-muted')}>{unread_count}</span>
          ) : null}
        </button>
      ))}
    </nav>
  );
}
