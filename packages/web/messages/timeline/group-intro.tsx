import type { Chat } from '@parley/client/store';
import { InviteButton } from '../../chats/invites/invite-button.tsx';
import { ChatAvatar } from '../../chats/chat/chat-avatar.tsx';
import { MemberCount } from '../../chats/chat/member-count.tsx';
import { isAgent } from '../../words/is-webhook.ts';
import { firstOf } from '../../words/list-of.ts';
import { shownName } from '../../words/shown-name.ts';
import styles from './group-intro.module.css';
import { t } from '../../words/t.ts';

/** Maximum number of people, and of agents, that are named. */
const MOST_NAMED = 6;

interface GroupIntroProps {
  chat: Chat;
  /** Whether it offers to invite people. */
  invites?: boolean;
}

/** Above the first message of a group: what the group is about, who owns it and who is in it. */
export function GroupIntro({ chat, invites = false }: GroupIntroProps) {
  const { participants, people_count, participant_count } = chat;
  const owner = participants.find(({ role }) => role === 'owner');
  const people = participants.filter(({ kind, role }) => kind === 'human' && role !== 'owner').map(shownName);
  const agents = participants.filter(isAgent).map(shownName);
  // Of a large group only the first participants are loaded.
  const isWhole = participants.length >= participant_count;
  const others = people_count - (owner ? 1 : 0);
  return (
    <section className={styles['intro']} aria-label={t('About this group')}>
      <ChatAvatar chat={chat} size={64} />
      <p className={styles['title']} dir="auto">
        {chat.title}
      </p>
      <p className="ui-aside">
        <MemberCount chat={chat} />
      </p>
      {chat.description ? (
        <p className={styles['about']} dir="auto">
          {chat.description}
        </p>
      ) : null}
      {owner ? <p className="ui-aside">{t('Owner: {name}', { name: shownName(owner) })}</p> : null}
      {people.length > 0 ? (
        <p className="ui-aside">{t('People: {names}', { names: firstOf(people, MOST_NAMED, others) })}</p>
      ) : null}
      {agents.length > 0 ? (
        <p className="ui-aside">
          {t('Agents: {names}', {
            names: firstOf(agents, MOST_NAMED, isWhole ? agents.length : participant_count - people_count),
          })}
        </p>
      ) : null}
      {chat.posting === 'managers' ? <p className="ui-aside">{t('Only its owner and admins write here.')}</p> : null}
      {invites ? <InviteButton chat={chat} size="small" /> : null}
    </section>
  );
}
