import type { Invite } from '@parley/protocol';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Form } from '../../ui/forms/form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from '../chat/details.module.css';
import { expiries, inviteLimits } from './expiries.ts';
import { t } from '../../words/t.ts';

const A_WEEK = '604800';

interface NewInviteProps {
  chatId: string;
  onInvite: (invite: Invite) => void;
  onClose: () => void;
}

/** The form for a new link: when it expires and how many people can use it. */
export function NewInvite({ chatId, onInvite, onClose }: NewInviteProps) {
  const { client } = useSession();
  const [expiry, setExpiry] = useState(A_WEEK);
  const [uses, setUses] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse } = useSubmit();

  async function create() {
    const limits = inviteLimits(expiry, uses);
    if (!limits) return refuse('max_uses', t('Enter a whole number, or leave it empty.'));
    await submit(async () => {
      onInvite(await client.call('createInvite', { chat_id: chatId, ...limits }));
    });
    return undefined;
  }

  return (
    <Form className={styles['form']} onSubmit={create}>
      <div className={styles['pair']}>
        <SelectField
          label={t('Expires after')}
          options={expiries}
          value={expiry}
          autoFocus
          error={errorOf('expires_in')}
          onChange={({ target }) => setExpiry(target.value)}
        />
        <Field
          label={t('Maximum number of people')}
          inputMode="numeric"
          placeholder={t('Any number')}
          value={uses}
          error={errorOf('max_uses')}
          onChange={({ target }) => setUses(target.value)}
        />
      </div>
      <Problem text={errorBut('expires_in', 'max_uses')} />
      <div className={styles['buttons']}>
        <Button size="small" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button size="small" type="submit" look="primary" isBusy={isBusy}>
          {t('Create link')}
        </Button>
      </div>
    </Form>
  );
}
