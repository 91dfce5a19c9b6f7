import type { Provider } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { chatRoute } from '../../browser/route.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { checkKey } from './check-text.ts';
import { makers } from './makers.ts';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

/** Tries a key that was just saved by asking for the provider's models, which costs nothing. */
export function KeyCheck({ provider }: { provider: Provider }) {
  const navigate = useNavigate();
  const { client, store, username } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const { name } = makers[provider];
  const load = useCallback(async () => checkKey(client, provider), [client, provider]);
  const { value: outcome } = useLoaded(load);

  const greet = () =>
    submit(async () => {
      const chat = await client.call('startChat', { username: `${username}:${provider}` });
      store.putChat(chat);
      navigate(chatRoute(chat.id));
    });

  return (
    <div className={styles['check']} role="status">
      <span className={outcome?.isRefused ? 'ui-danger' : undefined}>
        {outcome?.text ?? t('Trying the key at {name} …', { name })}
      </span>
      {outcome && !outcome.isRefused ? (
        <Button size="small" isBusy={isBusy} onClick={() => void greet()}>
          {t('Open chat')}
        </Button>
      ) : null}
      <Problem text={errorBut()} />
    </div>
  );
}
