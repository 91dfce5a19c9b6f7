import type { Chat } from '@parley/client/store';
import type { Result } from '@parley/protocol';
import { type SubmitEvent, useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from '../chat/details.module.css';

interface NewWebhookProps {
  chat: Chat;
  onWebhook: (webhook: Result<'createWebhook'>) => void;
  onClose: () => void;
}

/** The form for a new webhook: the name beside its messages, and where they go. */
export function NewWebhook({ chat, onWebhook, onClose }: NewWebhookProps) {
  const { client } = useSession();
  const [name, setName] = useState('');
  const [channelId, setChannelId] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse } = useSubmit();
  const places = [
    { value: '', label: `#${t('general')}` },
    ...chat.channels.map(({ id, title }) => ({ value: id, label: `#${title}` })),
  ];

  async function create(event: SubmitEvent) {
    event.preventDefault();
    const display_name = name.trim();
    if (display_name === '') return refuse('display_name', t('Enter a name.'));
    const channel_id = channelId === '' ? undefined : channelId;
    await submit(async () =>
      onWebhook(await client.call('createWebhook', { chat_id: chat.id, channel_id, display_name })),
    );
    return undefined;
  }

  return (
    <form className={styles['form']} onSubmit={(event) => void create(event)} noValidate>
      <Field
        label={t('Name')}
        hint={t('Shown beside its messages, for example “Builds”.')}
        value={name}
        maxLength={80}
        autoComplete="off"
        autoFocus
        error={errorOf('display_name')}
        onChange={({ target }) => setName(target.value)}
      />
      {chat.channels.length > 0 ? (
        <SelectField
          label={t('Messages go to')}
          options={places}
          value={channelId}
          error={errorOf('channel_id')}
          onChange={({ target }) => setChannelId(target.value)}
        />
      ) : null}
      <Problem text={errorBut('display_name', 'channel_id')} />
      <div className={styles['buttons']}>
        <Button size="small" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button size="small" type="submit" look="primary" isBusy={isBusy}>
          {t('Create webhook')}
        </Button>
      </div>
    </form>
  );
}
