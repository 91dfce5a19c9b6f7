import type { StoredMessage } from '@parley/client/store';
import { useSession } from '../../../session/session.ts';
import { Confirm } from '../../../ui/overlays/confirm.tsx';
import { t } from '../../../words/t.ts';

/** Asks before a poll is closed. */
export default function ClosePoll({ message, onClose }: { message: StoredMessage; onClose: () => void }) {
  const { client } = useSession();
  return (
    <Confirm
      title={t('Close this poll?')}
      text={t('Nobody can vote any more. The results stay.')}
      action={t('Close poll')}
      onConfirm={async () => client.call('closePoll', { message_id: message.id })}
      onClose={onClose}
    />
  );
}
