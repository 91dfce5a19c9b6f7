import type { StoredMessage } from '@parley/client/store';
import { useSession } from '../../session/session.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { t } from '../../words/t.ts';

/** Asks before a decision is taken back. */
export default function WithdrawDialog({ message, onClose }: { message: StoredMessage; onClose: () => void }) {
  const { client } = useSession();
  return (
    <Confirm
      title={t('Withdraw this question?')}
      text={t('Nobody can decide it any more. The message stays.')}
      action={t('Withdraw')}
      onConfirm={async () => client.call('withdrawDecision', { decision_id: message.id })}
      onClose={onClose}
    />
  );
}
