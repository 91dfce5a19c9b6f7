// Profiles of people and agents. May import: chats/chat, chats/members, chats/people and the rooms below chats.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { OpenProfileContext } from '../../session/open-profile.ts';

const ProfileDialog = lazy(async () => import('./profile-dialog.tsx'));

/** Holds the open profile outside the rows that open it. Its script loads when it is first needed. */
export function ProfilePlace({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<string | null>(null);
  return (
    <OpenProfileContext value={setShown}>
      {children}
      {shown === null ? null : (
        <Suspense fallback={null}>
          <ProfileDialog key={shown} username={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </OpenProfileContext>
  );
}
