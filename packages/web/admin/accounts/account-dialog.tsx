import type { AccountRole, AdministeredAccount } from '@parley/protocol';
import { PersonLine } from '../../chats/people/person-line.tsx';
import { useSession } from '../../session/session.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { shownName } from '../../words/shown-name.ts';
import { fullTime } from '../../words/times.ts';
import { AccountActions } from './account-actions.tsx';
import { RoleForm } from './role-form.tsx';
import { administers, rolesToGive, roleTitles } from './roles.ts';
import { t } from '../../words/t.ts';

interface AccountDialogProps {
  account: AdministeredAccount;
  /** The reader's role. */
  own: AccountRole;
  onChange: (account: AdministeredAccount | null) => void;
  onClose: () => void;
}

/** An account: what is known of it, and what the reader's role may do with it. Nothing else is offered (WEB-722). */
export function AccountDialog({ account, own, onChange, onClose }: AccountDialogProps) {
  const { username } = useSession();
  const { role, disabled, pending, created_at, last_seen_at } = account;
  const isSelf = account.username === username;
  const mayAdminister = administers(own, role);
  const roles = mayAdminister && !pending ? rolesToGive(own) : [];
  return (
    <Dialog title={shownName(account)} isOpen onClose={onClose}>
      <Stack>
        <PersonLine who={account} />
        <Facts>
          {roles.length > 0 ? null : <Fact name={t('Role')}>{roleTitles[role]}</Fact>}
          <Fact name={t('State')}>{disabled ? t('Disabled') : pending ? t('Waiting for approval') : t('Active')}</Fact>
          <Fact name={t('Created')}>{fullTime(created_at)}</Fact>
          {last_seen_at === undefined ? null : <Fact name={t('Last used')}>{fullTime(last_seen_at)}</Fact>}
        </Facts>
        {roles.length > 0 ? <RoleForm account={account} roles={roles} onChange={onChange} /> : null}
        {mayAdminister && !isSelf ? (
          <AccountActions account={account} onChange={onChange} onClose={onClose} />
        ) : mayAdminister ? null : (
          <p className="ui-hint">{t('Your role doesn’t let you change this account.')}</p>
        )}
      </Stack>
    </Dialog>
  );
}
