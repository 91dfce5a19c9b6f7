import type { AccountRole } from '@parley/protocol';
import { useCallback } from 'react';
import { usePages } from '../../calls/use-pages.ts';
import { useSession } from '../../session/session.ts';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { AccountRows } from '../accounts/account-rows.tsx';
import { MoreButton } from '../more-button.tsx';
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
  const { loaded, more, isBusy } = usePages(fetch);
  return (
    <Section title={t('Waiting for approval')}>
      <LoadedView
        loaded={loaded}
        label={t('Loading accounts')}
        empty={t('Nobody is waiting.')}
        isEmpty={({ items }) => items.length === 0}
      >
        {({ items, next_cursor: next }) => (
          <>
            <AccountRows
              label={t('Waiting for approval')}
              accounts={items}
              own={own}
              onChange={(username) =>
                loaded.change((before) => ({
                  ...before,
                  items: before.items.filter((one) => one.username !== username),
                }))
              }
            />
            <MoreButton of={{ more, isBusy, next }} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}
