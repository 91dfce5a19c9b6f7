// Settings of the account: profile, password, devices, data. May import: the rooms below settings.
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { StatusSection } from './status-section.tsx';

/** Status, profile, password, data export and account deletion. */
export function ProfilePage() {
  return (
    <>
      <StatusSection />
      <ProfileForm />
      <ChangePassword />
      <SecondFactor />
      <ExportData />
      <DeleteAccount />
    </>
  );
}
