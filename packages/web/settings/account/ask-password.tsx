import { ApiError } from '@parley/client';
import { type ReactNode, useCallback, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { wrongPassword } from './change-password.tsx';
import { t } from '../../words/t.ts';

type Call<Value> = (given: { password?: string }) => Promise<Value>;

interface Question {
  /** Repeats the call with the password. */
  answer: (password: string) => Promise<unknown>;
  cancel: () => void;
}

const needsPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'forbidden' && error.parameters['field'] === 'password';

/**
 * For calls that need the password if the sign-in is some minutes old. `ask` makes the call; if the service wants the
 * password, `dialog` asks for it and the call is repeated. Cancelling rejects with the service's error.
 */
export function usePasswordQuestion(): { ask: <Value>(call: Call<Value>) => Promise<Value>; dialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = useCallback(async <Value,>(call: Call<Value>): Promise<Value> => {
    try {
      return await call({});
    } catch (error) {
      if (!needsPassword(error)) throw error;
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      setQuestion({
        answer: async (password) => resolve(await call({ password })),
        cancel: () => reject(error),
      });
      return promise.finally(() => setQuestion(null));
    }
  }, []);
  return { ask, dialog: question ? <PasswordDialog {...question} /> : null };
}

function PasswordDialog({ answer, cancel }: Question) {
  const { username } = useSession();
  const [password, setPassword] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  async function send() {
    if (password === '') return refuse('password', t('Enter your password.'));
    await submit(() => answer(password), wrongPassword('password'));
    return undefined;
  }
  return (
    <FormDialog
      title={t('Confirm your password')}
      action={t('Continue')}
      isBusy={isBusy}
      onSubmit={send}
      onClose={cancel}
    >
      <p className="ui-about">{t('You signed in a while ago. Enter your password so we know it’s you.')}</p>
      {/* Password managers need the username. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field
        label={t('Password')}
        type="password"
        autoComplete="current-password"
        value={password}
        error={errorOf('password')}
        onChange={({ target }) => {
          setPassword(target.value);
          clear();
        }}
      />
      <Problem text={errorBut('password')} />
    </FormDialog>
  );
}
