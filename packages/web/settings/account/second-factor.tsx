import type { SecondFactor as Factor } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import { dateOf } from '../../words/times.ts';
import { wrongPassword } from './change-password.tsx';
import { FactorSetup, RecoveryCodes, wrongCode } from './factor-setup.tsx';

type Asked = 'set-up' | 'new-codes' | 'turn-off' | null;

/** Two-step sign-in: whether it is on, and what can be done about it (WEB-770). */
export function SecondFactor() {
  const { client, username } = useSession();
  const {
    value: factor,
    put,
    reload,
  } = useLoaded<Factor>(useCallback(async () => client.call('getSecondFactor'), [client]));
  const [asked, setAsked] = useState<Asked>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // An account without a password: its issuer asks for whatever it wants.
  if (!factor) return null;
  const close = () => setAsked(null);
  return (
    <Section
      title={t('Two-step sign-in')}
      hint={t('A code from your phone besides the password: whoever has learnt the password alone can’t sign in.')}
    >
      {factor.on ? (
        <>
          <p className="ui-about">
            {factor.since === undefined ? null : t('On since {date}.', { date: dateOf(factor.since) })}{' '}
            {t('{count, plural, one {# recovery code left} other {# recovery codes left}}.', {
              count: factor.recovery_codes_left,
            })}
          </p>
          <Buttons atStart>
            <Button onClick={() => setAsked('new-codes')}>{t('New recovery codes')}</Button>
            {factor.required ? null : (
              <Button look="danger" onClick={() => setAsked('turn-off')}>
                {t('Turn off')}
              </Button>
            )}
          </Buttons>
        </>
      ) : (
        <Buttons atStart>
          <Button onClick={() => setAsked('set-up')}>{t('Set up')}</Button>
        </Buttons>
      )}
      {asked === 'set-up' ? (
        <Dialog title={t('Two-step sign-in')} isOpen onClose={close}>
          <FactorSetup
            client={client}
            username={username}
            onDone={() => {
              close();
              reload();
            }}
          />
        </Dialog>
      ) : asked !== null ? (
        <CodeQuestion
          withPassword={asked === 'turn-off'}
          onClose={close}
          onCode={async (code, password) => {
            if (asked === 'turn-off') {
              await client.call('removeSecondFactor', { password, code });
              put({ on: false, recovery_codes_left: 0, required: factor.required });
            } else {
              const made = await client.call('createRecoveryCodes', { code });
              setCodes(made.recovery_codes);
              reload();
            }
            close();
          }}
        />
      ) : null}
      {codes === null ? null : (
        <Dialog title={t('New recovery codes')} isOpen onClose={() => setCodes(null)}>
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        </Dialog>
      )}
    </Section>
  );
}

interface CodeQuestionProps {
  withPassword: boolean;
  onCode: (code: string, password: string) => Promise<void>;
  onClose: () => void;
}

function CodeQuestion({ withPassword, onCode, onClose }: CodeQuestionProps) {
  const { username } = useSession();
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  async function send() {
    if (withPassword && password === '') return refuse('password', t('Enter your password.'));
    if (code.trim() === '') return refuse('code', t('Enter the code that the app shows.'));
    await submit(
      () => onCode(code.trim(), password),
      (error) => wrongCode(error) ?? wrongPassword('password')(error),
    );
    return undefined;
  }
  return (
    <FormDialog
      title={withPassword ? t('Turn off two-step sign-in') : t('New recovery codes')}
      action={withPassword ? t('Turn off') : t('Continue')}
      look={withPassword ? 'danger' : 'primary'}
      isBusy={isBusy}
      onSubmit={send}
      onClose={onClose}
    >
      {withPassword ? (
        <>
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
        </>
      ) : (
        <p className="ui-about">{t('Your old recovery codes stop working.')}</p>
      )}
      <Field
        label={t('Sign-in code')}
        autoComplete="one-time-code"
        value={code}
        error={errorOf('code')}
        onChange={({ target }) => {
          setCode(target.value);
          clear();
        }}
      />
      <Problem text={errorBut('password', 'code')} />
    </FormDialog>
  );
}
