import type { Chat } from '@parley/client/store';
import { Bot, Plus } from 'lucide-react';
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useSubmit } from '../../calls/use-submit.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { tellAdded } from '../chat/tell-added.ts';
import styles from '../chat/details.module.css';
import { useLoadedWithMembers } from '../chat/use-loaded-with-members.ts';
import { GroupAgentRow } from './group-agent-row.tsx';
import { useOwnAgents } from '../people/use-known-people.ts';
import { t } from '../../words/t.ts';

/** Maximum agents whose terms are loaded at once; each is a request. */
const MAX_TERMS = 20;

/** The agents of a group and when each of them answers. */
export function GroupAgents({ chat, mayManage }: { chat: Chat; mayManage: boolean }) {
  const { client, may } = useSession();
  const chat_id = chat.id;
  const load = useCallback(async () => (await client.call('getGroupAgents', { chat_id })).items, [client, chat_id]);
  const agents = useLoadedWithMembers(chat, load);
  const own = useOwnAgents();
  const { errorBut, submit } = useSubmit();
  const { reload } = agents;
  const missing = own.filter(
    ({ username }) => agents.value?.some(({ agent }) => agent.username === username) === false,
  );
  async function add(agent_username: string) {
    await submit(async () => {
      await client.call('addGroupAgent', { chat_id, agent_username, always_on: false });
      await tellAdded(client, chat, { usernames: [agent_username] });
    });
    reload();
  }
  return (
    <Section
      level={3}
      title={
        agents.value && agents.value.length > 0
          ? t('Agents ({count, number})', { count: agents.value.length })
          : t('Agents')
      }
      action={
        missing.length > 0 && may('addGroupAgent') ? (
          <Menu
            trigger={
              <Button size="small" look="quiet">
                <Plus aria-hidden /> {t('Add yours')}
              </Button>
            }
            items={missing.map((agent) => ({
              label: `${shownName(agent)} (${handleOf(agent.username)})`,
              icon: <Bot />,
              onSelect: () => void add(agent.username),
            }))}
          />
        ) : null
      }
    >
      <LoadedView loaded={agents} label={t('Loading agents')} empty={t('No agents yet. Add one of yours.')}>
        {(items) => (
          <ul className={styles['list']}>
            {items.map(({ agent, always_on, follows_threads }, at) => (
              <GroupAgentRow
                key={agent.username}
                chat={chat}
                agent={agent}
                isAlwaysOn={always_on}
                followsThreads={follows_threads}
                mayManage={mayManage}
                hasTerms={at < MAX_TERMS}
                onChange={reload}
              />
            ))}
          </ul>
        )}
      </LoadedView>
      <Problem text={errorBut()} />
    </Section>
  );
}
