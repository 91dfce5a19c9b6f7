import { ApiError } from '@parley/client';
import type { AccountRole, AdministeredAccount } from '@parley/protocol';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import settings from '../../config/settings.module.css';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Saved } from '../../ui/states/done.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { roleTitles } from './roles.ts';
import { t } from '../../words/t.ts';

interface RoleFormProps {
  account: AdministeredAccount;
  roles: readonly AccountRole[];
  onChange: (account: AdministeredAccount) => void;
}

/** What a conflict means for an owner: the service always keeps one. */
export const lastOwnerText = (error: unknown): string | null =>
  error instanceof ApiError && error.code === 'conflict'
    ? t('This is the only owner. Make someone else an owner first.')
    : null;

/** Gives an account another role. */
export function RoleForm({ account, roles, onChange }: RoleFormProps) {
  const { client } = useSession();
  const [role, setRole] = useState(account.role);
  const { isBusy, isDone, errorOf, errorBut, submit, clear } = useSubmit();
  const save = () =>
    submit(
      async () => {
        await client.call('setAccountRole', { username: account.username, role });
        onChange({ ...account, role });
      },
      (error) => {
        const text = lastOwnerText(error);
        return text === null ? null : { field: 'role', text };
      },
    );
  return (
    <Form onSubmit={save}>
      <div className={settings['inline']}>
        <SelectField
          label={t('Role')}
          hint={roleHints[role]}
          error={errorOf('role')}
          options={roles.map((value) => ({ value, label: roleTitles[value] }))}
          value={role}
          onChange={({ target }) => {
            setRole(roles.find((one) => one === target.value) ?? account.role);
            clear();
          }}
        />
        <Button type="submit" disabled={role === account.role} isBusy={isBusy}>
          {t('Change role')}
        </Button>
      </div>
      <Problem text={errorBut('role')} />
      <Saved isDone={isDone} />
    </Form>
  );
}

const roleHints: Readonly<Record<AccountRole, string>> = {
  guest: t('Only in the groups of their invitation.'),
  member: t('Uses the service like everybody else.'),
  moderator: t('Also sees the list of accounts and resolves reports.'),
  admin: t('Also manages accounts, invitations and groups.'),
  owner: t('Also makes admins and owners, and reads the audit.'),
};
