import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';
import styles from '../../config/settings.module.css';
import { ShownOnce } from '../account/shown-once.tsx';
import { NewSubscription } from './new-subscription.tsx';
import { SubscriptionCard } from './subscription-card.tsx';

/** The addresses to which the service sends what happens in the user's conversations. */
export function Subscriptions() {
  const { client, may } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const subscriptions = useLoaded(
    useCallback(async () => (await client.call('getWebhookSubscriptions')).items, [client]),
  );
  return (
    <Section
      title={t('Addresses for events')}
      hint={t('The service sends what happens in your conversations to your own program, signed and in order.')}
      action={
        may('createWebhookSubscription') ? (
          <Button size="small" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden /> {t('New address')}
          </Button>
        ) : null
      }
    >
      <LoadedView
        loaded={subscriptions}
        label={t('Loading your addresses')}
        empty={t('No addresses yet. Add one, and your program hears of new messages without a connection of its own.')}
      >
        {(items) => (
          <ul className="ui-stack">
            {items.map((subscription) => (
              <li key={subscription.id} className={styles['card']}>
                <SubscriptionCard
                  subscription={subscription}
                  onChange={(changed) =>
                    subscriptions.put(items.map((other) => (other.id === changed.id ? changed : other)))
                  }
                  onDeleted={() => subscriptions.put(items.filter(({ id }) => id !== subscription.id))}
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
      {isAdding ? (
        <NewSubscription
          onClose={() => setIsAdding(false)}
          onMade={({ secret: made, ...subscription }) => {
            setIsAdding(false);
            setSecret(made);
            subscriptions.put([subscription, ...(subscriptions.value ?? [])]);
          }}
        />
      ) : null}
      {secret === null ? null : (
        <ShownOnce
          title={t('The secret of this address')}
          hint={t('Your program checks the signature of each request with it. Save it there: it’s shown only once.')}
          label={t('Secret')}
          copyLabel={t('Copy secret')}
          value={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Section>
  );
}
