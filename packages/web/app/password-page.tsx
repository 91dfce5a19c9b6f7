import { ApiError } from '@parley/client';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '../calls/use-submit.ts';
import { guest } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/forms/password-field.tsx';
import { PageCard } from '../ui/layout/page-card.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { t } from '../words/t.ts';

/** Where a person sets a new password with a link of an administrator (ENTER-9). */
export default function PasswordPage() {
  const { isBusy, errorOf, errorBut, submit, clear } = useSubmit();
  const [username, setUsername] = useState<string | null>(null);
  if (username !== null)
    return (
      <PageCard icon={<KeyRound />} title={t('Your password is changed')}>
        <p>{t('Sign in as {username} with your new password.', { username })}</p>
        {/* A new page: this browser may show another account. */}
        <Button look="primary" onClick={() => location.assign('/')}>
          {t('Go to the start')}
        </Button>
      </PageCard>
    );
  return (
    <PageCard icon={<KeyRound />} title={t('Choose a new password')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('password');
          const password = typeof given === 'string' ? given : '';
          const token = location.hash.slice(1);
          void submit(async () => {
            const answer = await guest().setPasswordByLink({ token, password });
            setUsername(answer.username);
          }, refusal);
        }}
        onChange={clear}
        noValidate
      >
        <PasswordField
          label={t('New password')}
          name="password"
          autoComplete="new-password"
          required
          autoFocus
          error={errorOf('password')}
        />
        <Problem text={errorBut('password')} />
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('Change password')}
        </Button>
      </form>
    </PageCard>
  );
}

const refusal = (error: unknown) =>
  error instanceof ApiError && (error.code === 'not_found' || error.parameters['field'] === 'token')
    ? { field: null, text: t('This link has expired or was used. Ask for a new one.') }
    : null;
