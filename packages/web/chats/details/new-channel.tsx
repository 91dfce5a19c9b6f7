import type { Chat } from '@parley/client/store';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { tellAdded } from '../chat/tell-added.ts';
import { Form } from '../../ui/forms/form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from '../chat/details.module.css';
import { t } from '../../words/t.ts';

export function NewChannel({ chat, onDone }: { chat: Chat; onDone: (id: string | null) => void }) {
  const { client } = useSession();
  const [title, setTitle] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  // Focusing scrolls only the field into view: show the whole form.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  async function create() {
    const name = title.trim().replace(/^#/, '');
    if (name === '') return refuse('title', t('Enter a name.'));
    await submit(async () => {
      const { id, title } = await client.call('createChannel', { chat_id: chat.id, title: name });
      await tellAdded(client, chat, { channelId: id, title });
      onDone(id);
    });
    return undefined;
  }
  return (
    <Form ref={form} className={styles['form']} onSubmit={create}>
      <Field
        label={t('Channel name')}
        value={title}
        maxLength={80}
        autoComplete="off"
        autoFocus
        error={errorOf('title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Problem text={errorBut('title')} />
      <div className={styles['buttons']}>
        <Button size="small" onClick={() => onDone(null)}>
          {t('Cancel')}
        </Button>
        <Button size="small" type="submit" look="primary" isBusy={isBusy}>
          {t('Create channel')}
        </Button>
      </div>
    </Form>
  );
}
