import type { AccountRole } from '@parley/protocol';
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { Section } from '../../ui/layout/section.tsx';
import { AccountList } from '../accounts/account-list.tsx';
import { t } from '../../words/t.ts';

const PAGE = 50;

/** The accounts that wait for approval. */
export function PendingSection({ own }: { own: AccountRole }) {
  const { client } = useSession();
  const fetch = useCallback(
    (cursor: string | undefined, signal?: AbortSignal) =>
      client.call('getAccounts', { pending: true, limit: PAGE, cursor }, signal && { signal }),
    [client],
  );
  return (
    <Section title={t('Waiting for approval')}>
      <AccountList
        label={t('Waiting for approval')}
        empty={t('Nobody is waiting.')}
        fetch={fetch}
        stays={({ pending }) => pending === true}
        own={own}
      />
    </Section>
  );
}
