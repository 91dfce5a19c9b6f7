import { ApiError } from '@parley/client';
import type { Chat } from '@parley/client/store';
import { useSession } from '../../session/session.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { roleOf } from './roles.ts';
import { useCloseChat } from './use-close-chat.ts';
import { t } from '../../words/t.ts';

/** Asks before leaving a group. */
export function AskToLeave({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { client, username } = useSession();
  const closeChat = useCloseChat();
  async function leave() {
    await client.call('leaveChat', { chat_id: chat.id });
    closeChat(chat.id);
  }
  return (
    <Confirm
      title={t('Leave the group')}
      text={
        roleOf(chat, username) === 'owner'
          ? t(
              'You own this group. If others are still in it, make one of them the owner first. Your agents leave with you.',
            )
          : t('You and your agents leave and get no more messages from it. To come back, you need a new invite.')
      }
      action={t('Leave')}
      isDanger
      onConfirm={leave}
      onClose={onClose}
      say={(error) =>
        error instanceof ApiError && error.code === 'conflict'
          ? t('Make someone else the owner first: open the menu next to a member and choose “Make owner”.')
          : null
      }
    />
  );
}
