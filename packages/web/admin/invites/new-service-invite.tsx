import type { Result } from '@parley/protocol';
import { useMemo, useState } from 'react';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import { isManager } from '../../chats/chat/roles.ts';
import { expiries, inviteLimits } from '../../chats/invites/expiries.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import settings from '../../config/settings.module.css';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Field, SelectField } from '../../ui/forms/field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { roleTitles } from '../accounts/roles.ts';
import { ChosenRow } from '../chosen-row.tsx';
import { RowList } from '../row-list.tsx';
import { t } from '../../words/t.ts';

type Made = Result<'createServiceInvite'>;
const roles = (['member', 'guest'] as const).map((value) => ({ value, label: roleTitles[value] }));
const A_WEEK = '604800';

/** The form for a link with which people create accounts. */
export function NewServiceInvite({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const { client, store, username } = useSession();
  const { ids } = useCell(store.chats);
  const groups = useMemo(
    () =>
      ids
        .flatMap((id) => store.chat(id).get() ?? [])
        .filter((chat) => chat.kind === 'group' && isManager(chat, username)),
    [ids, store, username],
  );
  const [uses, setUses] = useState('');
  const [expiry, setExpiry] = useState(A_WEEK);
  const [role, setRole] = useState<'member' | 'guest'>('member');
  const [approval, setApproval] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();

  async function create() {
    const limits = inviteLimits(expiry, uses);
    if (!limits) return refuse('max_uses', t('Enter a whole number, or leave it empty.'));
    await submit(async () => {
      onMade(await client.call('createServiceInvite', { ...limits, role, approval, chat_ids: [...chosen] }));
    });
    return undefined;
  }

  return (
    <FormDialog
      title={t('New invite link')}
      action={t('Create link')}
      isBusy={isBusy}
      onSubmit={create}
      onClose={onClose}
    >
      <div className={settings['pair']}>
        <SelectField
          label={t('Role')}
          options={roles}
          value={role}
          error={errorOf('role')}
          onChange={({ target }) => setRole(target.value === 'guest' ? 'guest' : 'member')}
        />
        <SelectField
          label={t('Expires after')}
          options={expiries}
          value={expiry}
          error={errorOf('expires_in')}
          onChange={({ target }) => setExpiry(target.value)}
        />
      </div>
      <Field
        label={t('Maximum number of people')}
        inputMode="numeric"
        placeholder={t('Any number')}
        value={uses}
        error={errorOf('max_uses')}
        onChange={({ target }) => {
          setUses(target.value);
          clear();
        }}
      />
      <Switch
        label={t('Needs approval')}
        hint={t('An admin lets each person in.')}
        isOn={approval}
        onChange={setApproval}
      />
      {groups.length === 0 ? null : (
        <div>
          <p className="ui-label">{t('Groups that they join')}</p>
          <RowList
            label={t('Groups that they join')}
            items={groups}
            keyOf={({ id }) => id}
            isChosen={({ id }) => chosen.includes(id)}
            onPress={({ id }) =>
              setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]))
            }
          >
            {(chat) => <ChosenRow title={chatTitle(chat, username)} isChosen={chosen.includes(chat.id)} />}
          </RowList>
        </div>
      )}
      <Problem text={errorBut('max_uses', 'expires_in', 'role')} ofForm />
    </FormDialog>
  );
}
