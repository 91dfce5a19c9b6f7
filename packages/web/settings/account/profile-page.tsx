import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';
import { ProfileForm } from './profile-form.tsx';

/** Oneself. */
export function ProfilePage() {
  return (
    <>
      <ProfileForm />
      <ChangePassword />
      <ExportData />
      <DeleteAccount />
    </>
  );
}
