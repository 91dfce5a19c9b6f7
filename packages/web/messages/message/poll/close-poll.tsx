import type { StoredMessage } from '@parley/client/store';
import { useSession } from '../../../session/session.ts';
import { Confirm } from '../../../ui/overlays/confirm.tsx';

/** Asks before a poll is closed. */
export default function ClosePoll({ message, onClose }: { message: StoredMessage; onClose: () => void }) {
  const { client } = useSession();
  return (
    <Confirm
      title="Close this poll?"
      text="Nobody can vote any more. The results stay."
      action="Close poll"
      onConfirm={async () => client.call('closePoll', { message_id: message.id })}
      onClose={onClose}
    />
  );
}
