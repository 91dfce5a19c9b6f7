import type { Result } from '@parley/protocol';
import { Button } from '../ui/button.tsx';
import { t } from '../words/t.ts';
import styles from './welcome.module.css';

type Issuers = Result<'getServerInfo'>['issuers'];

/** Where people sign in by OpenID Connect: they come back to the same place, with the same invite (WEB-650). */
export function Issuers({ issuers, invite }: { issuers: Issuers; invite: string | null }) {
  const begin = (id: string) => {
    const query = new URLSearchParams({
      next: location.pathname + location.search,
      ...(invite !== null && { invite }),
    });
    location.assign(`/oidc/${id}/start?${query.toString()}`);
  };
  if (issuers.length === 0) return null;
  return (
    <div className={styles['form']}>
      {issuers.map(({ id, name }) => (
        <Button key={id} onClick={() => begin(id)}>
          {t('Sign in with {name}', { name })}
        </Button>
      ))}
    </div>
  );
}
