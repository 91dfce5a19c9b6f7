// Settings of the account: profile, password, devices, data. May import: the rooms below settings.
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { StatusSection } from './status-section.tsx';

/** Status, profile, password, data export and account deletion. */
export function ProfilePage() {
  const { client } = useSession();
  const load = useCallback(async () => client.call('getMe'), [client]);
  const me = useLoaded(load);
  const hasPassword = me.value?.has_password !== false;
  return (
    <>
      <StatusSection />
      <ProfileForm />
      {hasPassword ? (
        <>
          <ChangePassword />
          <SecondFactor />
        </>
      ) : null}
      <ExportData />
      <DeleteAccount hasPassword={hasPassword} />
    </>
  );
}
