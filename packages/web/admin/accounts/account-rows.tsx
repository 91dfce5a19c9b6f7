import type { AccountRole, AdministeredAccount } from '@parley/protocol';
import { useState } from 'react';
import { PersonLine } from '../../chats/people/person-line.tsx';
import { RowList } from '../row-list.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { roleTitles } from './roles.ts';
import { t } from '../../words/t.ts';

interface AccountRowsProps {
  label: string;
  accounts: readonly AdministeredAccount[];
  /** The reader's role. */
  own: AccountRole;
  /** Told what an account is now; null if it is gone. */
  onChange: (username: string, account: AdministeredAccount | null) => void;
}

/** People in a list, each of which opens what can be done with the account. */
export function AccountRows({ label, accounts, own, onChange }: AccountRowsProps) {
  const [open, setOpen] = useState<string | null>(null);
  const shown = accounts.find(({ username }) => username === open);
  return (
    <>
      <RowList
        label={label}
        items={accounts}
        keyOf={({ username }) => username}
        onPress={(one) => setOpen(one.username)}
      >
        {(account) => <PersonLine who={account} note={stateOf(account)} />}
      </RowList>
      {shown ? (
        <AccountDialog
          account={shown}
          own={own}
          onChange={(account) => onChange(shown.username, account)}
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
