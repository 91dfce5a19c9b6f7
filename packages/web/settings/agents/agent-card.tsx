import type { Provider, Result } from '@parley/protocol';
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { PersonLine } from '../../chats/people/person-line.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { AgentKey } from './agent-key.tsx';
import { AgentProfile } from './agent-profile.tsx';
import { ConfigForm } from '../../config/config-form.tsx';
import { KeyTerms } from './key-terms.tsx';
import { OwnerSettings } from './owner-settings.tsx';
import styles from '../../config/settings.module.css';
import { AgentTools } from './tools/agent-tools.tsx';
import { type UsageItem, usageOf } from '../../session/usage.ts';
import { UsageView } from './usage-view.tsx';
import { t } from '../../words/t.ts';

type MyAgent = Result<'getMyAgents'>['items'][number];

interface AgentCardProps {
  agent: MyAgent;
  /** null until loaded. */
  usage: readonly UsageItem[] | null;
  /** The user came to set its key. */
  wantsKey: boolean;
  /** Its key or its profile was changed. */
  onChange: () => void;
}

/** An agent of a provider: its key, usage and settings. */
export function AgentCard({ agent, usage, wantsKey, onChange }: AgentCardProps) {
  const { client, may } = useSession();
  const { username } = agent;
  const load = useCallback(async () => client.call('getMyBotConfig', { username }), [client, username]);
  const config = useLoaded(load);
  return (
    <Stack>
      <PersonLine
        who={{ ...agent, kind: 'agent' }}
        size={40}
        note={agent.key_configured ? undefined : t('no key yet')}
      />
      {may('setAgentKey') || agent.key_configured ? (
        <AgentKey
          // The user may come for another key while the page is open.
          key={String(wantsKey)}
          isWanted={wantsKey}
          provider={agent.provider as Provider /* no bot: its page lists providers alone */}
          isSet={agent.key_configured}
          onChange={onChange}
        />
      ) : null}
      {usage === null ? null : (
        <UsageView usage={usageOf(username, usage)} cap={config.value?.monthly_token_cap ?? null} hasKey />
      )}
      <LoadedView loaded={config} label={t('Loading its settings')}>
        {(value) => (
          <div>
            <details className={styles['more']}>
              <summary>{t('Its name and picture')}</summary>
              <AgentProfile
                account={value.bot}
                onSaved={(bot) => {
                  config.change((before) => ({ ...before, bot }));
                  onChange();
                }}
              />
            </details>
            <details className={styles['more']}>
              <summary>{t('How it answers')}</summary>
              <ConfigForm config={value} layer="owner" without={['api_key']} onConfig={config.put} />
            </details>
            <AgentTools agent={username} />
            <details className={styles['more']}>
              <summary>{t('Who may use your key')}</summary>
              <KeyTerms config={value} onSaved={config.put} />
            </details>
            <details className={styles['more']}>
              <summary>{t('Who may talk to it, and how much')}</summary>
              <OwnerSettings
                config={value}
                publicHint={t('Anyone here can talk to it. Choose who uses your key under “Who may use your key”.')}
                onSaved={config.put}
              />
            </details>
          </div>
        )}
      </LoadedView>
    </Stack>
  );
}
