// Settings of agents with a provider. May import: settings/account and the rooms below settings.
import { Plus } from 'lucide-react';
import { useCallback } from 'react';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { newAgentRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { Button } from '../../ui/button.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AgentCard } from './agent-card.tsx';
import { CustomAgentCard } from './custom-agent-card.tsx';
import styles from '../../config/settings.module.css';
import { usageOfMonth } from '../../session/usage.ts';
import { t } from '../../words/t.ts';

/** The user's own agents: those the user made, and the two that everyone has. */
export function AgentsPage() {
  const navigate = useNavigate();
  const { client, may } = useSession();
  const route = useRoute();
  const keyOf = route.name === 'settings' ? route.keyOf : undefined;
  const load = useCallback(
    async () => (await client.call('getMyAgents')).items.filter(({ provider }) => provider !== 'bot'),
    [client],
  );
  const agents = useLoaded(load);
  const loadKeyed = useCallback(async () => {
    if (keyOf === undefined) return null;
    const { agent_provider, base_url } = await client.call('getAgent', { username: keyOf });
    return base_url === undefined ? agent_provider : null;
  }, [client, keyOf]);
  /** The provider whose key is wanted: agents that the user made use it too, unless they have servers of their own. */
  const keyed = useLoaded(loadKeyed);
  const loadUsage = useCallback(async () => usageOfMonth(client), [client]);
  const usage = useLoaded(loadUsage);
  const made = agents.value?.filter(({ is_default }) => !is_default) ?? [];
  return (
    <>
      <Section
        title={t('Your agents')}
        hint={
          made.length === 0
            ? t('Make an agent for what you do often: give it instructions and a model, and share it with your groups.')
            : t('You can chat with them, and add them to your groups.')
        }
        action={
          may('createAgent') ? (
            <Button
              size="small"
              look={made.length === 0 ? 'primary' : 'plain'}
              onClick={() => navigate(newAgentRoute())}
            >
              <Plus aria-hidden /> {t('New agent')}
            </Button>
          ) : null
        }
      >
        {made.length === 0 ? null : (
          <ul className="ui-stack">
            {made.map((agent) => (
              <li key={agent.username} className={styles['card']}>
                <CustomAgentCard agent={agent} usage={usage.value ?? null} onDeleted={agents.reload} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section
        title={t('Agents and keys')}
        hint={t('Each agent answers with your API key. Keys are stored encrypted and never shown again.')}
      >
        <LoadedView loaded={agents} label={t('Loading your agents')} empty={t('You have no agents yet.')}>
          {(items) => (
            <ul className="ui-stack">
              {items
                .filter(({ is_default }) => is_default)
                .map((agent) => (
                  <li key={agent.username} className={styles['card']}>
                    <AgentCard
                      agent={agent}
                      usage={usage.value ?? null}
                      wantsKey={agent.provider === keyed.value}
                      onChange={agents.reload}
                    />
                  </li>
                ))}
            </ul>
          )}
        </LoadedView>
      </Section>
    </>
  );
}
