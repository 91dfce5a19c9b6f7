import { ApiError } from '@parley/client';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Done } from '../../ui/states/done.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { OtherWaysIn } from './other-ways-in.tsx';
import { t } from '../../words/t.ts';

const LEAST = 8;

export function ChangePassword() {
  const { client, username } = useSession();
  const [old, setOld] = useState('');
  const [fresh, setFresh] = useState('');
  /** The new password after a successful change. */
  const [changed, setChanged] = useState<string | null>(null);
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();

  async function change() {
    if (old === '') return refuse('old_password', t('Enter your current password.'));
    if (fresh.length < LEAST)
      return refuse(
        'new_password',
        t('Use at least {count, plural, one {# character} other {# characters}}.', { count: LEAST }),
      );
    const isChanged = await submit(
      () => client.call('changePassword', { old_password: old, new_password: fresh }),
      wrongPassword('old_password'),
    );
    if (isChanged) {
      setChanged(fresh);
      setOld('');
      setFresh('');
    }
    return undefined;
  }

  return (
    <Section
      title={t('Password')}
      hint={t('Changing it signs out all your other devices. Your access tokens stay valid.')}
    >
      <Form onSubmit={change}>
        {/* Password managers need the username. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <Field
          label={t('Current password')}
          type="password"
          autoComplete="current-password"
          value={old}
          error={errorOf('old_password')}
          onChange={({ target }) => {
            setOld(target.value);
            clear();
          }}
        />
        <Field
          label={t('New password')}
          type="password"
          autoComplete="new-password"
          hint={t('At least {count, plural, one {# character} other {# characters}}.', { count: LEAST })}
          value={fresh}
          error={errorOf('new_password')}
          onChange={({ target }) => {
            setFresh(target.value);
            clear();
          }}
        />
        <Problem text={errorBut('old_password', 'new_password')} />
        <Buttons>
          <Done>{isDone ? t('Password changed.') : ''}</Done>
          <Button type="submit" isBusy={isBusy}>
            {t('Change password')}
          </Button>
        </Buttons>
      </Form>
      {changed === null ? null : <OtherWaysIn password={changed} />}
    </Section>
  );
}

/** Words a wrong password, shown beside its field. */
export const wrongPassword = (field: string) => (error: unknown) =>
  error instanceof ApiError && (error.code === 'forbidden' || error.code === 'unauthenticated')
    ? { field, text: t('Wrong password. Try again.') }
    : null;
