import type { AccessToken } from '@parley/protocol';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import { dateOf } from '../../words/times.ts';
import styles from '../../config/settings.module.css';
import { ShownOnce } from '../account/shown-once.tsx';
import { NewToken } from './new-token.tsx';
import { scopeWords } from './scope-words.ts';

/** The user's access tokens: made, shown once, listed with their last use, revoked (WEB-640, WEB-641). */
export function AccessTokens() {
  const { client, may } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const tokens = useLoaded(useCallback(async () => (await client.call('getAccessTokens')).items, [client]));
  return (
    <Section
      title={t('Access tokens')}
      hint={t('Scripts and assistants act for you with these. What they write shows the token’s name beside yours.')}
      action={
        may('createAccessToken') ? (
          <Button size="small" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden /> {t('New token')}
          </Button>
        ) : null
      }
    >
      <LoadedView
        loaded={tokens}
        label={t('Loading your access tokens')}
        empty={t('No access tokens yet. Make one for a script or an assistant such as Claude.')}
      >
        {(items) => (
          <ul className="ui-stack">
            {items.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                onRevoked={() => tokens.put(items.filter(({ id }) => id !== token.id))}
              />
            ))}
          </ul>
        )}
      </LoadedView>
      {isAdding ? (
        <NewToken
          onClose={() => setIsAdding(false)}
          onMade={({ token, ...made }) => {
            setIsAdding(false);
            setSecret(token);
            tokens.put([made, ...(tokens.value ?? [])]);
          }}
        />
      ) : null}
      {secret === null ? null : (
        <ShownOnce
          title={t('Your new access token')}
          hint={t('Give it to your program now: it’s shown only once.')}
          label={t('Access token')}
          copyLabel={t('Copy token')}
          value={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Section>
  );
}

function TokenRow({ token, onRevoked }: { token: AccessToken; onRevoked: () => void }) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const { id, name, client: program, scopes, last_used_at, expires_at } = token;
  const about = [
    program === undefined ? '' : t('Signed in from {place}', { place: program }),
    scopeWords.flatMap(({ scope, label }) => (scopes.includes(scope) ? label : [])).join(', '),
    last_used_at === undefined ? t('Never used') : t('Last used {when}', { when: dateOf(last_used_at) }),
    expires_at === undefined ? '' : t('Expires {when}', { when: dateOf(expires_at) }),
  ];
  async function revoke() {
    if (await submit(() => client.call('revokeAccessToken', { id }))) onRevoked();
  }
  return (
    <li>
      <div className={styles['row']}>
        <span className="ui-shrink">
          <span className="ui-line ui-name">{name}</span>
          <span className="ui-line ui-note">{about.filter((part) => part !== '').join(' · ')}</span>
        </span>
        <Button size="small" isBusy={isBusy} aria-label={t('Revoke {name}', { name })} onClick={() => void revoke()}>
          {t('Revoke')}
        </Button>
      </div>
      <Problem text={errorBut()} />
    </li>
  );
}
