import type { Chat } from '@parley/client/store';
import { UserRoundPlus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { isManager } from '../chat/roles.ts';
import { t } from '../../words/t.ts';

const InviteDialog = lazy(async () => import('./invite-dialog.tsx'));

interface InviteProps {
  chat: Chat;
  /** Draws what opens the dialog. */
  children: (open: () => void) => ReactNode;
}

/** Opens the link with which people join the group, for those who may invite. */
function Invite({ chat, children }: InviteProps) {
  const { username, may } = useSession();
  const [isInviting, setIsInviting] = useState(false);
  if (chat.kind !== 'group' || !may('createInvite') || !isManager(chat, username)) return null;
  return (
    <>
      {children(() => setIsInviting(true))}
      <Suspense fallback={null}>
        {isInviting ? <InviteDialog chat={chat} onClose={() => setIsInviting(false)} /> : null}
      </Suspense>
    </>
  );
}

export function InviteButton({ chat, size = 'medium' }: { chat: Chat; size?: 'small' | 'medium' }) {
  return (
    <Invite chat={chat}>
      {(open) => (
        <Button size={size} onClick={open}>
          <UserRoundPlus aria-hidden /> {t('Invite people')}
        </Button>
      )}
    </Invite>
  );
}

/** In the header. A phone has the button in the details, one press away. */
export default function InviteIcon({ chat }: { chat: Chat }) {
  return (
    <Invite chat={chat}>
      {(open) => (
        <IconButton className="ui-no-phone" label={t('Invite people')} icon={<UserRoundPlus />} onClick={open} />
      )}
    </Invite>
  );
}
