import { ApiError, type Client } from '@parley/client';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopiedField } from '../../ui/forms/copied-field.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import { wrongPassword } from './change-password.tsx';
import { QrCode } from './qr-code.tsx';

interface FactorSetupProps {
  client: Client;
  username: string;
  /** Called when the user has saved the recovery codes. */
  onDone: () => void;
}

type Step =
  | { kind: 'password' }
  | { kind: 'code'; secret: string; url: string }
  | { kind: 'recovery'; codes: readonly string[] };

/** Turns two-step sign-in on: the password, the app with its first code, the recovery codes (WEB-770). */
export function FactorSetup({ client, username, onDone }: FactorSetupProps) {
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const [typed, setTyped] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const onType = ({ target }: { target: { value: string } }) => {
    setTyped(target.value);
    clear();
  };
  async function go() {
    if (step.kind === 'password') {
      if (typed === '') return refuse('password', t('Enter your password.'));
      await submit(async () => {
        const { secret, url } = await client.call('startSecondFactor', { password: typed });
        setTyped('');
        setStep({ kind: 'code', secret, url });
      }, wrongPassword('password'));
    } else if (step.kind === 'code') {
      if (typed.trim() === '') return refuse('code', t('Enter the code that the app shows.'));
      await submit(async () => {
        const { recovery_codes: codes } = await client.call('confirmSecondFactor', { code: typed.trim() });
        setStep({ kind: 'recovery', codes });
      }, wrongCode);
    }
    return undefined;
  }

  if (step.kind === 'recovery') return <RecoveryCodes codes={step.codes} onDone={onDone} />;
  return (
    <Form onSubmit={go}>
      {step.kind === 'password' ? (
        <>
          <p className="ui-about">
            {t('You need an app on your phone that makes codes, such as 2FAS, Aegis or Google Authenticator.')}
          </p>
          {/* Password managers need the username. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <Field
            key="password"
            label={t('Password')}
            type="password"
            autoComplete="current-password"
            value={typed}
            error={errorOf('password')}
            onChange={onType}
          />
        </>
      ) : (
        <>
          <p className="ui-about">
            {t('Scan this picture with the app, or open the link on your phone. Then enter the code that it shows.')}
          </p>
          <QrCode text={step.url} label={t('Picture to scan with the app')} />
          <p>
            <a href={step.url}>{t('Open in an app on this device')}</a>
          </p>
          <CopiedField label={t('Key to type into the app')} value={step.secret} />
          <Field
            key="code"
            label={t('Sign-in code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            value={typed}
            error={errorOf('code')}
            onChange={onType}
          />
        </>
      )}
      <Problem text={errorBut('password', 'code')} />
      <Buttons>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {step.kind === 'password' ? t('Continue') : t('Turn on')}
        </Button>
      </Buttons>
    </Form>
  );
}

/** Codes for the day on which the phone is lost, shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Stack>
      <p className="ui-about">
        {t(
          'Keep these recovery codes where you find them without your phone. Each works once. They’re shown only now.',
        )}
      </p>
      <pre dir="ltr">{codes.join('\n')}</pre>
      <Buttons>
        <CopyButton text={codes.join('\n')} label={t('Copy codes')} />
        <Button look="primary" onClick={onDone}>
          {t('I’ve saved them')}
        </Button>
      </Buttons>
    </Stack>
  );
}

/** Words a wrong code, shown beside its field. */
export const wrongCode = (error: unknown) =>
  error instanceof ApiError && error.code === 'forbidden' && error.parameters['field'] === 'code'
    ? { field: 'code', text: t('This code is wrong or was used. Wait for the next one.') }
    : error instanceof ApiError && error.code === 'conflict'
      ? { field: null, text: t('This took too long. Close it and start again.') }
      : null;
