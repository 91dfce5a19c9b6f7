import type { WebhookSubscription } from '@parley/protocol';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Field } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';

interface ReplayProps {
  subscription: WebhookSubscription;
  onDone: (changed: WebhookSubscription) => void;
  onClose: () => void;
}

/** Asks after which event an address begins again. */
export function Replay({ subscription: { id, seq }, onDone, onClose }: ReplayProps) {
  const { client } = useSession();
  const [from, setFrom] = useState(String(seq));
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  async function replay() {
    const from_seq = Number(from);
    if (from.trim() === '' || !Number.isSafeInteger(from_seq) || from_seq < 0)
      return refuse('from_seq', t('Enter a whole number, 0 or more.'));
    const isDone = await submit(async () =>
      onDone(await client.call('replayWebhook', { subscription_id: id, from_seq })),
    );
    if (isDone) onClose();
    return undefined;
  }
  return (
    <FormDialog
      title={t('Send events again')}
      action={t('Send again')}
      isBusy={isBusy}
      onSubmit={replay}
      onClose={onClose}
    >
      <Field
        label={t('After event number')}
        inputMode="numeric"
        autoComplete="off"
        hint={t('The events after it are sent again, as far as the service still has them.')}
        value={from}
        error={errorOf('from_seq')}
        onChange={({ target }) => {
          setFrom(target.value);
          clear();
        }}
      />
      <Problem text={errorBut('from_seq')} ofForm />
    </FormDialog>
  );
}
