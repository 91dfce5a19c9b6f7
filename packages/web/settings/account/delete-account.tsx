import { ApiError } from '@parley/client';
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

/** Deletes the account after asking for the password, if it has one (OIDC-13). */
export function DeleteAccount({ hasPassword }: { hasPassword: boolean }) {
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
      {isAsking ? <DeleteDialog hasPassword={hasPassword} onClose={() => setIsAsking(false)} /> : null}
    </Section>
  );
}

function DeleteDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { client, username } = useSession();
  const [password, setPassword] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse } = useSubmit();
  async function remove() {
    if (hasPassword && password === '') return refuse('password', t('Enter your password.'));
    const isGone = await submit(
      // What a person without a password gives is not looked at.
      () => client.call('deleteAccount', { password: hasPassword ? password : 'none' }),
      hasPassword ? wrongPassword('password') : signedInLongAgo,
    );
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
      {hasPassword ? (
        <Field
          label={t('Password')}
          type="password"
          autoComplete="current-password"
          value={password}
          error={errorOf('password')}
          onChange={({ target }) => setPassword(target.value)}
        />
      ) : null}
      <Problem text={errorBut('password')} />
    </FormDialog>
  );
}

/** Who has no password proves who they are by having just signed in. */
const signedInLongAgo = (error: unknown): { field: null; text: string } | null =>
  error instanceof ApiError && error.code === 'forbidden' && /sign in again/.test(error.description)
    ? { field: null, text: t('You signed in a while ago. Sign out, sign in again, and delete the account then.') }
    : null;
