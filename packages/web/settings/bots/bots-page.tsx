// Settings of bots. May import: settings/account, settings/agents and the rooms below settings.
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { Button } from '../../ui/button.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { BotCard } from './bot-card.tsx';
import { NewBot } from './new-bot.tsx';
import styles from '../../config/settings.module.css';
import { TokenDialog } from './token-dialog.tsx';
import { usageOfMonth } from '../../session/usage.ts';
import { t } from '../../words/t.ts';

/** The user's bots: agents that answer through the user's own programs. */
export function BotsPage() {
  const { client, may } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const load = useCallback(
    async () => (await client.call('getMyAgents')).items.filter(({ provider }) => provider === 'bot'),
    [client],
  );
  const bots = useLoaded(load);
  const loadUsage = useCallback(async () => usageOfMonth(client), [client]);
  const usage = useLoaded(loadUsage);
  return (
    <Section
      title={t('Bots')}
      hint={t('A bot is an agent that you program yourself. Your program signs in with its token.')}
      action={
        may('createBot') ? (
          <Button size="small" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden /> {t('New bot')}
          </Button>
        ) : null
      }
    >
      <LoadedView
        loaded={bots}
        label={t('Loading your bots')}
        empty={t('No bots yet. Create one and give its token to your program.')}
      >
        {(items) => (
          <ul className="ui-stack">
            {items.map((bot) => (
              <li key={bot.username} className={styles['card']}>
                <BotCard
                  bot={bot}
                  usage={usage.value ?? null}
                  onToken={setToken}
                  onChange={bots.reload}
                  onDeleted={bots.reload}
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
      {isAdding ? (
        <NewBot
          onClose={() => setIsAdding(false)}
          onMade={(made) => {
            setIsAdding(false);
            setToken(made);
            bots.reload();
          }}
        />
      ) : null}
      {token === null ? null : <TokenDialog token={token} onClose={() => setToken(null)} />}
    </Section>
  );
}
