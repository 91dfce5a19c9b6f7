// How people come into the service. May import: admin's own files, accounts.
import type { AccountRole, ServiceInvite } from '@parley/protocol';
import { isAtLeast } from '@parley/protocol/account-roles';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { ShownOnce } from '../../settings/account/shown-once.tsx';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { InviteRows } from './invite-rows.tsx';
import { NewServiceInvite } from './new-service-invite.tsx';
import { PendingSection } from './pending-section.tsx';
import { t } from '../../words/t.ts';

/** Who waits for approval, the links with which people come in, and who may make them. */
export function InvitesPage({ role }: { role: AccountRole }) {
  const { client } = useSession();
  const isAdmin = isAtLeast(role, 'admin');
  const load = useCallback(async () => {
    const [settings, invites, info] = await Promise.all([
      client.call('getServiceSettings'),
      client.call('getServiceInvites'),
      client.call('getServerInfo'),
    ]);
    return { settings, invites: invites.items, isClosed: info.sign_up === 'closed' };
  }, [client]);
  const loaded = useLoaded(load);
  const [isMaking, setIsMaking] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const { isBusy, errorBut, submit } = useSubmit();
  const putInvites = (change: (before: readonly ServiceInvite[]) => readonly ServiceInvite[]) =>
    loaded.change((before) => ({ ...before, invites: [...change(before.invites)] }));

  const setMembersInvite = (isOn: boolean) =>
    submit(async () => {
      const settings = await client.call('setServiceSettings', { who_invites: isOn ? 'members' : 'admins' });
      loaded.change((before) => ({ ...before, settings }));
    });

  return (
    <>
      {isAdmin ? <PendingSection own={role} /> : null}
      <LoadedView loaded={loaded} label={t('Loading invites')}>
        {({ settings, invites, isClosed }) => (
          <>
            <Section
              title={t('Invitations')}
              hint={
                isAdmin
                  ? t('Links with which people create an account here.')
                  : t('The links that you have made, with which people create an account here.')
              }
              action={
                isAdmin || settings.who_invites === 'members' ? (
                  <Button size="small" onClick={() => setIsMaking(true)}>
                    {t('New link')}
                  </Button>
                ) : null
              }
            >
              {isClosed ? <p className="ui-hint">{t('Sign-up is closed here: no link lets anyone in.')}</p> : null}
              <InviteRows
                invites={invites}
                onRevoke={(id) => putInvites((before) => before.filter((one) => one.id !== id))}
              />
            </Section>
            {isAdmin ? (
              <Section title={t('Who may invite')}>
                <Switch
                  label={t('All members may invite')}
                  hint={t('Otherwise only admins and owners. Guests never invite.')}
                  isOn={settings.who_invites === 'members'}
                  isDisabled={isBusy}
                  onChange={(isOn) => void setMembersInvite(isOn)}
                />
                <Problem text={errorBut()} />
              </Section>
            ) : null}
          </>
        )}
      </LoadedView>
      {isMaking ? (
        <NewServiceInvite
          onMade={({ url, token: _token, ...invite }) => {
            putInvites((before) => [invite, ...before]);
            setIsMaking(false);
            setLink(new URL(url, location.origin).href);
          }}
          onClose={() => setIsMaking(false)}
        />
      ) : null}
      {link === null ? null : (
        <ShownOnce
          title={t('Invite link')}
          hint={t('Anyone who has it can create an account here. It is shown only once.')}
          label={t('Link')}
          copyLabel={t('Copy link')}
          value={link}
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}
