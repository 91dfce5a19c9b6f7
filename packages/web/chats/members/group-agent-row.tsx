import type { Chat } from '@parley/client/store';
import type { Actor } from '@parley/protocol';
import {
  AtSign,
  BookHeart,
  Ellipsis,
  LibraryBig,
  MessageSquareOff,
  MessageSquareReply,
  MessagesSquare,
  SlidersHorizontal,
  UserRoundMinus,
} from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { OwnConfigDialog } from '../../config/own-config.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from '../chat/details.module.css';
import { AgentTerms } from './agent-terms.tsx';
import { ProfileLine } from '../people/profile-line.tsx';
import { t } from '../../words/t.ts';

const AgentNotes = lazy(async () => import('./agent-notes.tsx'));
const AgentSources = lazy(async () => import('./agent-sources.tsx'));

interface GroupAgentRowProps {
  chat: Chat;
  agent: Actor;
  isAlwaysOn: boolean;
  followsThreads: boolean;
  mayManage: boolean;
  /** Whether to load who pays for it. */
  hasTerms: boolean;
  onChange: () => void;
}

/** An agent in a group. Its owner sets when it answers; managers of the group can remove it. */
export function GroupAgentRow({
  chat,
  agent,
  isAlwaysOn,
  followsThreads,
  mayManage,
  hasTerms,
  onChange,
}: GroupAgentRowProps) {
  const { client, username } = useSession();
  const [isConfiguring, setIsConfiguring] = useState(false);
  const [shown, setShown] = useState<'notes' | 'sources' | null>(null);
  const { errorBut, submit } = useSubmit();
  const isMine = agent.username.startsWith(`${username}:`);
  const place = { chat_id: chat.id, agent_username: agent.username };
  const change = async (action: () => Promise<unknown>) => {
    await submit(action);
    onChange();
  };
  const setMode = (mode: { always_on: boolean; follows_threads?: boolean }) =>
    void change(() => client.call('setGroupAgentMode', { ...place, ...mode }));
  const follow = (follows_threads: boolean) => setMode({ always_on: isAlwaysOn, follows_threads });
  const remove = () =>
    void change(() =>
      isMine
        ? client.call('removeGroupAgent', place)
        : client.call('removeMember', { chat_id: chat.id, username: agent.username }),
    );
  const mode: MenuItem = isAlwaysOn
    ? { label: t('Answer only when mentioned'), icon: <AtSign />, onSelect: () => setMode({ always_on: false }) }
    : { label: t('Answer every message'), icon: <MessagesSquare />, onSelect: () => setMode({ always_on: true }) };
  const following: MenuItem = followsThreads
    ? { label: t('Don’t follow threads'), icon: <MessageSquareOff />, onSelect: () => follow(false) }
    : { label: t('Follow threads it is asked in'), icon: <MessageSquareReply />, onSelect: () => follow(true) };
  const items: (MenuItem | null)[] = [
    ...(isMine ? [mode, following] : []),
    { label: t('Your settings for it'), icon: <SlidersHorizontal />, onSelect: () => setIsConfiguring(true) },
    { label: t('What it remembers'), icon: <BookHeart />, onSelect: () => setShown('notes') },
    { label: t('Its library'), icon: <LibraryBig />, onSelect: () => setShown('sources') },
    ...(isMine || mayManage
      ? [null, { label: t('Remove from the group'), icon: <UserRoundMinus />, isDanger: true, onSelect: remove }]
      : []),
  ];
  return (
    <li>
      <div className={styles['item']}>
        <ProfileLine
          who={agent}
          kindNote={isAlwaysOn ? t('always on') : followsThreads ? t('follows threads') : t('when mentioned')}
        />
        <Menu
          items={items}
          trigger={<IconButton label={t('More about {name}', { name: agent.display_name })} icon={<Ellipsis />} />}
        />
      </div>
      {hasTerms ? <AgentTerms username={agent.username} className={styles['terms']} /> : null}
      <Problem text={errorBut()} />
      {isConfiguring ? <OwnConfigDialog agent={agent} onClose={() => setIsConfiguring(false)} /> : null}
      <Suspense fallback={null}>
        {shown === 'notes' ? <AgentNotes chat={chat} agent={agent} onClose={() => setShown(null)} /> : null}
        {shown === 'sources' ? <AgentSources agent={agent} onClose={() => setShown(null)} /> : null}
      </Suspense>
    </li>
  );
}
