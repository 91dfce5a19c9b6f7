import type { WebhookSubscription } from '@parley/protocol';
import { useForm } from '../../calls/use-form.ts';
import { useSession } from '../../session/session.ts';
import { FormField } from '../../ui/forms/form-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';

interface ReplayProps {
  subscription: WebhookSubscription;
  onDone: (changed: WebhookSubscription) => void;
  onClose: () => void;
}

const fields = {
  from_seq: {
    kind: 'whole',
    label: t('After event number'),
    hint: t('The events after it are sent again, as far as the service still has them.'),
    problem: (typed: string) =>
      typed.trim() !== '' && Number.isSafeInteger(Number(typed)) && Number(typed) >= 0
        ? null
        : t('Enter a whole number, 0 or more.'),
  },
} as const;

/** Asks after which event an address begins again. */
export function Replay({ subscription: { id, seq }, onDone, onClose }: ReplayProps) {
  const { client } = useSession();
  const form = useForm(fields, { from_seq: String(seq) });
  async function replay() {
    const from_seq = Number(form.draft.from_seq);
    const isDone = await form.send(async () =>
      onDone(await client.call('replayWebhook', { subscription_id: id, from_seq })),
    );
    if (isDone) onClose();
  }
  return (
    <FormDialog
      title={t('Send events again')}
      action={t('Send again')}
      isBusy={form.isBusy}
      onSubmit={replay}
      onClose={onClose}
    >
      <FormField {...form.field('from_seq')} />
      <Problem text={form.otherError} ofForm />
    </FormDialog>
  );
}
