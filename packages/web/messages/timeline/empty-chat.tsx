import type { Chat } from '@parley/client/store';
import { Bot, Sparkles } from 'lucide-react';
import { useCallback } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { keyRoute, newAgentRoute } from '../../browser/route.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { agentOf } from '../../chats/chat/chat-title.ts';
import { useOwnAgents } from '../../chats/people/use-known-people.ts';
import { InviteButton } from '../../chats/invites/invite-button.tsx';
import { type Place, useComposings } from '../../composer/composing/composing.ts';
import { whoText } from '../../composer/who/who-text.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { isAgent } from '../../words/is-webhook.ts';
import { HOUSE } from '../../words/service-names.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import styles from './empty-timeline.module.css';
import { GroupIntro } from './group-intro.tsx';
import { t } from '../../words/t.ts';

const HELLO = t('Hello!');
/** Suggested requests to an agent of a group. */
const requests = [t('Introduce yourself in one sentence.'), t('What can you help us with?')];

/** What to ask an agent that answers anything: a press writes it, to be finished. */
const beginnings = [
  t('Help me write an email about …'),
  t('Explain this in simple words: …'),
  t('Make a plan for …'),
  t('Sum up this text: …'),
];

/** An empty conversation with an agent, or an empty group: how to get an answer. */
export default function EmptyChat({ chat, place }: { chat: Chat; place: Place }) {
  const { username } = useSession();
  const agent = agentOf(chat, username);
  return agent ? (
    <WithAgent chat={chat} place={place} agent={agent.username} />
  ) : (
    <EmptyGroup chat={chat} place={place} />
  );
}

/** Who answers and pays, as the service says of a first message. */
function WithAgent({ chat, place, agent }: { chat: Chat; place: Place; agent: string }) {
  const navigate = useNavigate();
  const composings = useComposings();
  const { client, username, may } = useSession();
  const load = useCallback(
    async () => (await client.call('previewDispatch', { chat_id: chat.id, text: HELLO })).agents,
    [client, chat.id],
  );
  const { value: agents = [] } = useLoaded(load);
  const needsKey = agents.some(({ needs_key }) => needs_key === true);
  const who = whoText(agents, [], username);
  if (agent === HOUSE)
    return (
      <EmptyState title={[t('Ask anything, or begin with one of these.'), who].join(' ').trim()}>
        <div className={styles['questions']}>
          {beginnings.map((text) => (
            <Button
              key={text}
              size="small"
              className={styles['long']}
              onClick={() => composings.signal('text', place, text)}
            >
              {text}
            </Button>
          ))}
        </div>
      </EmptyState>
    );
  return (
    <EmptyState title={who === '' ? t('No messages yet. Say hello.') : `${t('No messages yet.')} ${who}`}>
      <div className={styles['questions']}>
        {needsKey && may('setAgentKey') && agent.startsWith(`${username}:`) ? (
          <Button size="small" look="primary" onClick={() => navigate(keyRoute(agent))}>
            {t('Add key')}
          </Button>
        ) : (
          <Button size="small" onClick={() => client.send({ chat_id: chat.id, text: HELLO })}>
            {t('Say hello')}
          </Button>
        )}
      </div>
    </EmptyState>
  );
}

function EmptyGroup({ chat, place }: { chat: Chat; place: Place }) {
  const composings = useComposings();
  const { may } = useSession();
  const [agent] = chat.participants.filter(isAgent);
  return (
    <>
      {place.channel_id ? null : <GroupIntro chat={chat} />}
      <EmptyState
        title={
          agent
            ? t('No messages yet. Mention an agent to get an answer, or write to everyone.')
            : may('addGroupAgent')
              ? t('No messages yet. Add an agent, mention it, and it answers here.')
              : t('No messages yet. Say hello.')
        }
      >
        <div className={styles['questions']}>
          {agent
            ? requests.map((text) => (
                <Button
                  key={text}
                  size="small"
                  className={styles['long']}
                  onClick={() => composings.signal('text', place, `@${agent.username} ${text}`)}
                >
                  {`@${shownName(agent)} ${text}`}
                </Button>
              ))
            : null}
          {may('addGroupAgent') ? <AddAgent chat={chat} /> : null}
          <InviteButton chat={chat} size="small" />
        </div>
      </EmptyState>
    </>
  );
}

/** Adds one of the user's agents to the group, or leads to the page that makes one. */
function AddAgent({ chat }: { chat: Chat }) {
  const navigate = useNavigate();
  const { client } = useSession();
  const { errorBut, submit } = useSubmit();
  const there = new Set(chat.participants.map(({ username }) => username));
  const missing = useOwnAgents().filter(({ username }) => !there.has(username));
  const add = (agent_username: string) =>
    submit(() => client.call('addGroupAgent', { chat_id: chat.id, agent_username, always_on: false }));
  return (
    <>
      <Menu
        align="start"
        trigger={<Button size="small">{t('Add an agent')}</Button>}
        items={[
          ...missing.map((agent) => ({
            label: `${shownName(agent)} (${handleOf(agent.username)})`,
            icon: <Bot />,
            onSelect: () => void add(agent.username),
          })),
          { label: t('New agent'), icon: <Sparkles />, onSelect: () => navigate(newAgentRoute()) },
        ]}
      />
      <Problem text={errorBut()} />
    </>
  );
}
