import type { Chat } from '@parley/client/store';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Form } from '../../ui/forms/form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import styles from '../chat/details.module.css';
import { t } from '../../words/t.ts';

/** The title of a separate chat, and the form to change it. */
export function ChatName({ chat }: { chat: Chat }) {
  const { username } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <NameForm chat={chat} onDone={() => setIsEditing(false)} />;
  return (
    <div className={styles['about']}>
      <h3 dir="auto">{chatTitle(chat, username)}</h3>
      <Button size="small" look="quiet" onClick={() => setIsEditing(true)}>
        <Pencil aria-hidden /> {t('Rename')}
      </Button>
    </div>
  );
}

function NameForm({ chat, onDone }: { chat: Chat; onDone: () => void }) {
  const { client } = useSession();
  const [title, setTitle] = useState(chat.title ?? '');
  const { isBusy, errorOf, errorBut, submit, refuse } = useSubmit();

  async function save() {
    const name = title.trim();
    if (name === '') return refuse('title', t('Enter a name for this chat.'));
    if (await submit(async () => client.call('setChatTitle', { chat_id: chat.id, title: name }))) onDone();
    return undefined;
  }

  return (
    <Form className={styles['form']} onSubmit={save}>
      <Field
        label={t('Name of this chat')}
        value={title}
        maxLength={120}
        autoComplete="off"
        autoFocus
        error={errorOf('title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Problem text={errorBut('title')} />
      <div className={styles['buttons']}>
        <Button onClick={onDone}>{t('Cancel')}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('Save')}
        </Button>
      </div>
    </Form>
  );
}
