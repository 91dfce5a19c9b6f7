import type { AccountRole, AdministeredAccount, Result } from '@parley/protocol';
import { useState } from 'react';
import { usePages } from '../../calls/use-pages.ts';
import { PersonLine } from '../../chats/people/person-line.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { MoreButton } from '../more-button.tsx';
import { RowList } from '../row-list.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { roleTitles } from './roles.ts';
import { t } from '../../words/t.ts';

interface AccountListProps {
  label: string;
  /** Said if nobody is in the list. */
  empty: string;
  /** Loads a page; a stable function, see `usePages`. */
  fetch: (cursor: string | undefined, signal?: AbortSignal) => Promise<Result<'getAccounts'>>;
  /** Whether an account that was changed stays in the list; all do by default. */
  stays?: (account: AdministeredAccount) => boolean;
  /** The reader's role. */
  own: AccountRole;
}

/** People in a list, each of which opens what can be done with the account. */
export function AccountList({ label, empty, fetch, stays = () => true, own }: AccountListProps) {
  const { loaded, more, isBusy } = usePages(fetch);
  // The account itself: the list may be loaded anew while the dialog is open.
  const [open, setOpen] = useState<AdministeredAccount | null>(null);

  /** Null for an account that is gone. */
  function put(username: string, account: AdministeredAccount | null) {
    const shown = account && stays(account) ? account : null;
    setOpen(shown);
    loaded.change((before) => ({
      ...before,
      items: before.items.flatMap((one) => (one.username !== username ? one : (shown ?? []))),
    }));
  }

  return (
    <>
      <LoadedView
        loaded={loaded}
        label={t('Loading accounts')}
        empty={empty}
        isEmpty={({ items }) => items.length === 0}
      >
        {({ items, next_cursor: next }) => (
          <>
            <RowList label={label} items={items} keyOf={({ username }) => username} onPress={setOpen}>
              {(account) => <PersonLine who={account} note={stateOf(account)} />}
            </RowList>
            <MoreButton of={{ more, isBusy, next }} />
          </>
        )}
      </LoadedView>
      {open ? (
        <AccountDialog
          account={open}
          own={own}
          onChange={(account) => put(open.username, account)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}

/** For example "Admin · Disabled". */
const stateOf = ({ role, disabled, pending }: AdministeredAccount): string =>
  [roleTitles[role], disabled ? t('Disabled') : '', pending ? t('Waiting for approval') : '']
    .filter((part) => part !== '')
    .join(' · ');
