// Settings of agents with a provider. May import: settings/account and the rooms below settings.
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AgentCard } from './agent-card.tsx';
import styles from '../../config/settings.module.css';
import { usageOfMonth } from './usage.ts';

/** The user's own agents with a provider. */
export function AgentsPage() {
  const { client } = useSession();
  const load = useCallback(
    async () => (await client.call('getMyAgents')).items.filter(({ is_default }) => is_default),
    [client],
  );
  const agents = useLoaded(load);
  const loadUsage = useCallback(async () => usageOfMonth(client), [client]);
  const usage = useLoaded(loadUsage);
  return (
    <Section
      title="Agents"
      hint="Each agent answers with your API key. Keys are stored encrypted and never shown again."
    >
      <LoadedView loaded={agents} label="Loading your agents" empty="You have no agents yet.">
        {(items) => (
          <ul className={styles['list']}>
            {items.map((agent) => (
              <li key={agent.username} className={styles['card']}>
                <AgentCard agent={agent} usage={usage.value ?? null} onKey={agents.reload} />
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
    </Section>
  );
}
