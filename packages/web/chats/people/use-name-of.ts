import { useEffect } from 'react';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { nameAlone } from '../../words/shown-name.ts';

/** The name of an account that is known by its username; the username until it is loaded, and '' without one. */
export function useNameOf(username = ''): string {
  const store = useStore();
  const account = useCell(store.account(username));
  const isUnknown = username !== '' && account === undefined;
  useEffect(() => {
    if (isUnknown) void store.loadAccounts([username]).catch(() => undefined);
  }, [store, username, isUnknown]);
  return account ? nameAlone(account.display_name) : username;
}
