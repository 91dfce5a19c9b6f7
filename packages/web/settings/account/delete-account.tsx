import { useState } from 'react';
import { forget, sayDeleted, useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { wrongPassword } from './change-password.tsx';
import { t } from '../../words/t.ts';

/** Deletes the account after asking for the password. */
export function DeleteAccount() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section
      title={t('Delete account')}
      hint={t(
        'This also deletes your agents and your private data. Messages you sent to others stay, without your name.',
      )}
      isDanger
    >
      <Buttons>
        <Button look="danger" onClick={() => setIsAsking(true)}>
          {t('Delete my account')}
        </Button>
      </Buttons>
      {isAsking ? <DeleteDialog onClose={() => setIsAsking(false)} /> : null}
    </Section>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { client, username } = useSession();
  const [password, setPassword] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse } = useSubmit();
  async function remove() {
    if (password === '') return refuse('password', t('Enter your password.'));
    const isGone = await submit(() => client.call('deleteAccount', { password }), wrongPassword('password'));
    if (isGone) {
      sayDeleted(username);
      forget();
      client.close();
    }
    return undefined;
  }
  return (
    <FormDialog
      title={t('Delete your account')}
      action={t('Delete forever')}
      look="danger"
      refusal={t('Keep it')}
      isBusy={isBusy}
      onSubmit={remove}
      onClose={onClose}
    >
      <p className="ui-about">
        {t(
          '@{username} is deleted right away and for good, and nobody can have this name again. Groups that you own go to another member.',
          { username },
        )}
      </p>
      <Field
        label={t('Password')}
        type="password"
        autoComplete="current-password"
        value={password}
        error={errorOf('password')}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Problem text={errorBut('password')} />
    </FormDialog>
  );
}
