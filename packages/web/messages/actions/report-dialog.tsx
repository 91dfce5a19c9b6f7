import type { StoredMessage } from '@parley/client/store';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';

interface ReportDialogProps {
  message: StoredMessage;
  onClose: () => void;
}

/** Asks why a message is reported to the moderators, and says what they will see. */
export default function ReportDialog({ message, onClose }: ReportDialogProps) {
  const { client } = useSession();
  const composings = useComposings();
  const { isBusy, errorBut, submit } = useSubmit();
  const [reason, setReason] = useState('');
  const { id: message_id, conversation_id: chat_id, channel_id, thread_root_id } = message;

  async function report() {
    const why = reason.trim();
    const call = async () => client.call('reportMessage', { message_id, ...(why !== '' && { reason: why }) });
    if (!(await submit(call))) return;
    composings.signal('note', { chat_id, channel_id, thread_root_id }, { text: t('Reported.'), isError: false });
    onClose();
  }

  return (
    <Dialog
      title={t('Report this message?')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="danger" isBusy={isBusy} onClick={() => void report()}>
            {t('Report')}
          </Button>
        </>
      }
    >
      <p>{t('The moderators see this message and two on each side of it, nothing else. Nobody here is told.')}</p>
      <TextField
        label={t('What is wrong with it?')}
        value={reason}
        maxLength={500}
        onChange={({ target }) => setReason(target.value)}
      />
      <Problem text={errorBut()} />
    </Dialog>
  );
}
