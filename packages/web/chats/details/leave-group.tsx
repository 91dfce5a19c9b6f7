import { ApiError } from '@parley/client';
import type { Chat } from '@parley/client/store';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import styles from '../chat/details.module.css';

/** Leaves a group. */
export function LeaveGroup({ chat, isOwner }: { chat: Chat; isOwner: boolean }) {
  const navigate = useNavigate();
  const { client } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  async function leave() {
    await client.call('leaveChat', { chat_id: chat.id });
    navigate({ name: 'home' }, { replace: true });
  }
  return (
    <div className={styles['divided']}>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        <LogOut size={17} aria-hidden /> Leave the group
      </Button>
      {isAsking ? (
        <Confirm
          title="Leave the group"
          text={
            isOwner
              ? 'You own this group. If others are still in it, make one of them the owner first. Your agents leave with you.'
              : 'You and your agents leave and get no more messages from it. To come back, you need a new invite.'
          }
          action="Leave"
          isDanger
          onConfirm={leave}
          onClose={() => setIsAsking(false)}
          say={(error) =>
            error instanceof ApiError && error.code === 'conflict'
              ? 'Make someone else the owner first: open the menu next to a member and choose “Make owner”.'
              : null
          }
        />
      ) : null}
    </div>
  );
}
