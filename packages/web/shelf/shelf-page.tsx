import type { Agent } from '@parley/protocol';
import { Plus, Sparkles } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { newAgentRoute } from '../browser/route.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { useSession } from '../session/session.ts';
import { type UsageItem, usageOfMonth } from '../session/usage.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/forms/field.tsx';
import { ColumnPage } from '../ui/layout/column-page.tsx';
import { Section } from '../ui/layout/section.tsx';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { ShelfCard } from './shelf-card.tsx';
import styles from './shelf-page.module.css';
import { useUsableAgents } from './use-usable-agents.ts';
import { t } from '../words/t.ts';

const none: readonly UsageItem[] = [];

/** All agents that the user may use: whose they are, what for, who pays, and where they take part (WEB-543). */
export default function ShelfPage() {
  const navigate = useNavigate();
  const { client, username: me, may } = useSession();
  const [typed, setTyped] = useState('');
  const { loaded, more, isBusy } = useUsableAgents(typed);
  const { errorBut, submit } = useSubmit();
  const hasUsage = may('getUsage');
  const loadUsage = useCallback(async () => (hasUsage ? usageOfMonth(client) : none), [client, hasUsage]);
  const usage = useLoaded(loadUsage).value ?? none;
  const make = () => navigate(newAgentRoute());
  return (
    <ColumnPage
      title={t('Agents')}
      onBack={() => navigate({ name: 'home' })}
      actions={
        may('createAgent') ? (
          <Button size="small" onClick={make}>
            <Plus aria-hidden /> {t('New agent')}
          </Button>
        ) : undefined
      }
    >
      <div className={styles['content']}>
        <Field
          type="search"
          label={t('Search agents')}
          value={typed}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        <LoadedView loaded={loaded} label={t('Loading agents')}>
          {({ query, items, next }) =>
            items.length === 0 && next === undefined ? (
              query === '' ? (
                <EmptyState
                  icon={<Sparkles />}
                  title={t('There are no agents that you can use yet. Make one for what you do often.')}
                >
                  {may('createAgent') ? (
                    <Button size="small" look="primary" onClick={make}>
                      {t('Make an agent')}
                    </Button>
                  ) : null}
                </EmptyState>
              ) : (
                <EmptyState icon={<Sparkles />} title={t('No agent matches “{query}”.', { query })} />
              )
            ) : (
              <>
                <Cards
                  title={t('Your agents')}
                  agents={items.filter(({ parent_username }) => parent_username === me)}
                  usage={usage}
                />
                <Cards
                  title={t('Agents of others')}
                  agents={items.filter(({ parent_username }) => parent_username !== me)}
                  usage={usage}
                />
                {next === undefined ? null : (
                  <Button size="small" isBusy={isBusy} onClick={() => void submit(more)}>
                    {t('Show more')}
                  </Button>
                )}
              </>
            )
          }
        </LoadedView>
        <Problem text={errorBut()} />
      </div>
    </ColumnPage>
  );
}

interface CardsProps {
  title: string;
  agents: readonly Agent[];
  usage: readonly UsageItem[];
}

function Cards({ title, agents, usage }: CardsProps) {
  if (agents.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="ui-stack">
        {agents.map((agent) => (
          <li key={agent.username} className="ui-card">
            <ShelfCard agent={agent} usage={usage} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
