import type { WebhookSubscription } from '@parley/protocol';
import { type SubmitEvent, useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from '../../config/settings.module.css';

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
  async function replay(event: SubmitEvent) {
    event.preventDefault();
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
    <Dialog
      title={t('Send events again')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" form="replay-webhook" look="primary" isBusy={isBusy}>
            {t('Send again')}
          </Button>
        </>
      }
    >
      <form id="replay-webhook" className={styles['form']} onSubmit={(event) => void replay(event)} noValidate>
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
      </form>
    </Dialog>
  );
}
