import type { Chat } from '@parley/client/store';
import type { Result } from '@parley/protocol';
import { useForm } from '../../calls/use-form.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FormField } from '../../ui/forms/form-field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from '../chat/details.module.css';

interface NewWebhookProps {
  chat: Chat;
  onWebhook: (webhook: Result<'createWebhook'>) => void;
  onClose: () => void;
}

const fields = {
  display_name: {
    label: t('Name'),
    hint: t('Shown beside its messages, for example “Builds”.'),
    maxLength: 80,
    problem: (typed: string) => (typed.trim() === '' ? t('Enter a name.') : null),
  },
  channel_id: { kind: 'choice', label: t('Messages go to') },
} as const;

/** The form for a new webhook: the name beside its messages, and where they go. */
export function NewWebhook({ chat, onWebhook, onClose }: NewWebhookProps) {
  const { client } = useSession();
  const form = useForm(fields, { display_name: '', channel_id: '' });
  const { draft } = form;
  const places = [
    { value: '', label: `#${t('general')}` },
    ...chat.channels.map(({ id, title }) => ({ value: id, label: `#${title}` })),
  ];
  const create = () =>
    form.send(async () =>
      onWebhook(
        await client.call('createWebhook', {
          chat_id: chat.id,
          channel_id: draft.channel_id === '' ? undefined : draft.channel_id,
          display_name: draft.display_name.trim(),
        }),
      ),
    );

  return (
    <Form className={styles['form']} onSubmit={create}>
      <FormField {...form.field('display_name')} autoFocus />
      {chat.channels.length > 0 ? <FormField {...form.field('channel_id')} options={places} /> : null}
      <Problem text={form.otherError} />
      <div className={styles['buttons']}>
        <Button size="small" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button size="small" type="submit" look="primary" isBusy={form.isBusy}>
          {t('Create webhook')}
        </Button>
      </div>
    </Form>
  );
}
