import type { Agent } from '@parley/protocol';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useRef } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { agentRoute, type Route } from '../browser/route.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSession } from '../session/session.ts';
import { IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import settings from '../config/settings.module.css';
import { copyOf, draftOf, newDraft } from './agent-draft.ts';
import { AgentEditor } from './agent-editor.tsx';
import styles from './agent-page.module.css';
import { t } from '../words/t.ts';

type AgentRoute = Extract<Route, { name: 'agent' }>;

/** The page of one of the user's agents, or of a new one. */
export default function AgentPage({ route }: { route: AgentRoute }) {
  const navigate = useNavigate();
  // An agent that was made on this page, which its own page then need not load.
  const made = useRef<Agent | null>(null);
  const { username, copyOf: origin } = route;
  return (
    <main className={settings['settings']}>
      <header className={settings['header']}>
        <IconButton
          className={styles['back']}
          label={t('Back to your agents')}
          icon={<ArrowLeft />}
          onClick={() => navigate({ name: 'settings', section: 'agents' })}
        />
        <h1 className="ui-grow">{username === null ? t('New agent') : t('Edit agent')}</h1>
      </header>
      <Loading
        key={`${username} ${origin}`}
        username={username}
        origin={origin}
        made={made.current?.username === username ? made.current : null}
        onMade={(agent) => {
          made.current = agent;
          navigate(agentRoute(agent.username), { replace: true });
        }}
      />
    </main>
  );
}

interface LoadingProps {
  username: string | null;
  /** The agent that a new one starts as a copy of. */
  origin: string | null;
  made: Agent | null;
  onMade: (agent: Agent) => void;
}

function Loading({ username, origin, made, onMade }: LoadingProps) {
  const { client, username: me } = useSession();
  const shown = username ?? origin;
  const load = useCallback(async () => {
    const [{ items }, agent] = await Promise.all([
      client.call('getMyAgents'),
      made ?? (shown === null ? null : client.call('getAgent', { username: shown })),
    ]);
    return { mine: items, agent };
  }, [client, shown, made]);
  const loaded = useLoaded(load);
  return (
    <LoadedView loaded={loaded} label={t('Loading the agent')}>
      {({ mine, agent }) => {
        if (agent !== null && (agent.parent_username !== me || agent.agent_provider === 'bot'))
          return <EmptyState title={t('You can change only agents of your own here. Bots have their own page.')} />;
        const handles = mine.map((one) => one.username.slice(one.username.indexOf(':') + 1));
        const start = agent === null ? newDraft(mine) : username === null ? copyOf(agent, handles) : draftOf(agent);
        return (
          <AgentEditor
            known={username === null ? null : agent}
            start={start}
            mine={mine}
            isFresh={made !== null}
            onMade={onMade}
          />
        );
      }}
    </LoadedView>
  );
}
