import type { AdministeredAccount } from '@parley/protocol';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { ShownOnce } from '../../settings/account/shown-once.tsx';
import { Button } from '../../ui/button.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Done } from '../../ui/states/done.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { useSubmit } from '../../calls/use-submit.ts';
import { shownName } from '../../words/shown-name.ts';
import { lastOwnerText } from './role-form.tsx';
import { t } from '../../words/t.ts';

interface AccountActionsProps {
  account: AdministeredAccount;
  onChange: (account: AdministeredAccount | null) => void;
  onClose: () => void;
}

/** What administrators do with the account of somebody else. */
export function AccountActions({ account, onChange, onClose }: AccountActionsProps) {
  const { client } = useSession();
  const { username, disabled, pending } = account;
  const [asked, setAsked] = useState<'disable' | 'end' | 'reset' | 'factor' | 'refuse' | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const [ended, setEnded] = useState<number | null>(null);
  const { isBusy, errorBut, submit } = useSubmit();
  const name = shownName(account);
  const close = () => setAsked(null);

  async function approve() {
    await client.call('approveAccount', { username, approved: true });
    const { pending: _pending, ...approved } = account;
    onChange(approved);
  }
  async function setDisabled(isDisabled: boolean) {
    await client.call('setAccountDisabled', { username, disabled: isDisabled });
    onChange({ ...account, disabled: isDisabled });
  }

  return (
    <>
      {pending ? (
        <Buttons atStart>
          <Button look="primary" isBusy={isBusy} onClick={() => void submit(approve)}>
            {t('Approve')}
          </Button>
          <Button look="danger" onClick={() => setAsked('refuse')}>
            {t('Refuse')}
          </Button>
        </Buttons>
      ) : (
        <Buttons atStart>
          <Button onClick={() => setAsked('end')}>{t('End sessions')}</Button>
          <Button onClick={() => setAsked('reset')}>{t('Reset password')}</Button>
          <Button onClick={() => setAsked('factor')}>{t('Reset two-step sign-in')}</Button>
          {disabled ? (
            <Button isBusy={isBusy} onClick={() => void submit(() => setDisabled(false))}>
              {t('Enable')}
            </Button>
          ) : (
            <Button look="danger" onClick={() => setAsked('disable')}>
              {t('Disable')}
            </Button>
          )}
        </Buttons>
      )}
      <Problem text={errorBut()} />
      <Done>
        {ended === null
          ? ''
          : t('{count, plural, one {# session ended} other {# sessions ended}}', {
              count: ended,
            })}
      </Done>
      {asked === 'disable' ? (
        <Confirm
          title={t('Disable {name}?', { name })}
          text={t(
            'Their sessions end at once, on all devices. Their bots and access tokens are refused, and nothing that they have scheduled is sent. What they wrote stays. You can enable the account again.',
          )}
          action={t('Disable')}
          isDanger
          say={lastOwnerText}
          onConfirm={() => setDisabled(true)}
          onClose={close}
        />
      ) : asked === 'end' ? (
        <Confirm
          title={t('End the sessions of {name}?', { name })}
          text={t('They are signed out on all devices, and can sign in again.')}
          action={t('End sessions')}
          onConfirm={async () => setEnded((await client.call('endSessions', { username })).terminated)}
          onClose={close}
        />
      ) : asked === 'reset' ? (
        <Confirm
          title={t('Reset the password of {name}?', { name })}
          text={t(
            'You get a link with which they set a new password, once, within a day. Until then the old one works.',
          )}
          action={t('Make a link')}
          onConfirm={async () => {
            const made = await client.call('resetPassword', { username });
            setLink(new URL(made.link, location.origin).href);
          }}
          onClose={close}
        />
      ) : asked === 'factor' ? (
        <Confirm
          title={t('Reset two-step sign-in of {name}?', { name })}
          text={t(
            'For somebody who has lost their phone: their sessions end, and they sign in with the password alone.',
          )}
          action={t('Reset')}
          isDanger
          onConfirm={() => client.call('resetSecondFactor', { username })}
          onClose={close}
        />
      ) : asked === 'refuse' ? (
        <Confirm
          title={t('Refuse {name}?', { name })}
          text={t('The account is deleted for good.')}
          action={t('Refuse')}
          isDanger
          onConfirm={async () => {
            await client.call('approveAccount', { username, approved: false });
            onChange(null);
            onClose();
          }}
          onClose={close}
        />
      ) : null}
      {link === null ? null : (
        <ShownOnce
          title={t('A link for a new password')}
          hint={t('Send it to {name} in a way that only they read. It is shown only once.', { name })}
          label={t('Link')}
          copyLabel={t('Copy link')}
          value={link}
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}
