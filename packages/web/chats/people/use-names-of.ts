import { useEffect, useState } from 'react';
import { useStore } from '../../session/session.ts';
import { shownName } from '../../words/shown-name.ts';

/** The names of accounts that are known by their usernames; of those that are not loaded yet the usernames. */
export function useNamesOf(usernames: readonly string[]): readonly string[] {
  const store = useStore();
  const [, setRounds] = useState(0);
  const unknown = usernames.filter((username) => !store.account(username).get()).join(' ');
  useEffect(() => {
    if (unknown === '') return undefined;
    let isGone = false;
    store.loadAccounts(unknown.split(' ')).then(
      () => isGone || setRounds((rounds) => rounds + 1),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [store, unknown]);
  return usernames.map((username) => {
    const account = store.account(username).get();
    return account ? shownName(account) : username;
  });
}
