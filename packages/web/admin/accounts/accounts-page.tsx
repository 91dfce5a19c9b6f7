import type { AccountRole } from '@parley/protocol';
import { accountRoles } from '@parley/protocol/account-roles';
import { useCallback, useState } from 'react';
import { usePaused } from '../../calls/use-paused.ts';
import settings from '../../config/settings.module.css';
import { useSession } from '../../session/session.ts';
import { Field, SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AccountList } from './account-list.tsx';
import { FactorRequirement } from './factor-requirement.tsx';
import { roleOptions } from './roles.ts';
import { t } from '../../words/t.ts';

const PAGE = 50;

type State = '' | 'pending' | 'disabled';
const states: readonly { value: State; label: string }[] = [
  { value: '', label: t('All') },
  { value: 'pending', label: t('Waiting for approval') },
  { value: 'disabled', label: t('Disabled') },
];
const roles = [{ value: '', label: t('All') }, ...roleOptions];

/** The people of the service: found by name, role and state, in pages. */
export function AccountsPage({ role: own }: { role: AccountRole }) {
  const { client } = useSession();
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<AccountRole | undefined>();
  const [state, setState] = useState<State>('');
  const query = usePaused(typed.trim());
  const fetch = useCallback(
    (cursor: string | undefined, signal?: AbortSignal) =>
      client.call(
        'getAccounts',
        { query, role, ...(state !== '' && { [state]: true }), limit: PAGE, cursor },
        signal && { signal },
      ),
    [client, query, role, state],
  );

  return (
    <>
      <Section title={t('Accounts')} hint={t('No role lets anybody read conversations of others.')}>
        <Field
          type="search"
          label={t('Search people by name')}
          value={typed}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className={settings['pair']}>
          <SelectField
            label={t('Role')}
            options={roles}
            value={role ?? ''}
            onChange={({ target }) => setRole(accountRoles.find((one) => one === target.value))}
          />
          <SelectField
            label={t('State')}
            options={states}
            value={state}
            onChange={({ target }) => setState(states.find(({ value }) => value === target.value)?.value ?? '')}
          />
        </div>
        <AccountList label={t('Accounts')} empty={t('Nobody matches.')} fetch={fetch} own={own} />
      </Section>
      {own === 'owner' ? <FactorRequirement /> : null}
    </>
  );
}
