import type { Chat } from '@parley/client/store';
import { lazy } from 'react';
import { useSession } from '../../session/session.ts';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { isManager, roleOf } from '../chat/roles.ts';
import { ChannelList } from './channel-list.tsx';
import styles from '../chat/details.module.css';
import { isSavedMessages } from '../chat/chat-title.ts';
import { GroupAbout } from './group-about.tsx';
import { GroupAgents } from '../members/group-agents.tsx';
import { InviteList } from '../invites/invite-list.tsx';
import { LeaveGroup } from './leave-group.tsx';
import { ScheduledList } from '../later/scheduled-list.tsx';
import { MemberList } from '../members/member-list.tsx';
import { PartnerDetails } from './partner-details.tsx';
import { QuickActions } from './quick-actions.tsx';
import { SavedAbout } from './saved-about.tsx';
import { WebhookList } from '../webhooks/webhook-list.tsx';
import { t } from '../../words/t.ts';

const ChatMedia = lazy(async () => import('../media/chat-media.tsx'));

interface DetailsContentProps {
  chat: Chat;
  onClose: () => void;
}

/** What a conversation is, and in tabs beside that its media, files and links. */
export default function DetailsContent(props: DetailsContentProps) {
  return (
    <Tabs
      label={t('Details')}
      tabs={[
        { name: t('About'), content: <About {...props} /> },
        { name: t('Media'), content: <ChatMedia chat={props.chat} kind="media" /> },
        { name: t('Files'), content: <ChatMedia chat={props.chat} kind="files" /> },
        { name: t('Links'), content: <ChatMedia chat={props.chat} kind="links" /> },
      ]}
    />
  );
}

/** Details and actions, by the kind of conversation. */
function About({ chat, onClose }: DetailsContentProps) {
  const { username } = useSession();
  const manages = isManager(chat, username);
  if (chat.kind === 'direct')
    return (
      <div className={styles['content']}>
        {isSavedMessages(chat) ? <SavedAbout chat={chat} /> : <PartnerDetails chat={chat} />}
      </div>
    );
  return (
    <div className={styles['content']}>
      <GroupAbout chat={chat} mayEdit={manages} />
      <QuickActions chat={chat} />
      <ScheduledList chat={chat} />
      <MemberList chat={chat} role={roleOf(chat, username)} />
      <GroupAgents chat={chat} mayManage={manages} />
      <ChannelList chat={chat} mayEdit={manages} onOpen={onClose} />
      {manages ? <InviteList chat={chat} /> : null}
      {manages ? <WebhookList chat={chat} /> : null}
      <LeaveGroup chat={chat} />
    </div>
  );
}
