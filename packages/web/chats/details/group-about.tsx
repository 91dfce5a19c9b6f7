import type { Chat } from '@parley/client/store';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { AvatarPicker } from '../../files/avatar-picker.tsx';
import { useSubmit } from '../../calls/use-submit.ts';
import { Form } from '../../ui/forms/form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from '../chat/details.module.css';
import { MemberCount } from '../chat/member-count.tsx';
import { type Openness, OpennessFields } from '../chat/openness-fields.tsx';
import { t } from '../../words/t.ts';

/** A group's picture, name and description, and the form to edit them. */
export function GroupAbout({ chat, mayEdit }: { chat: Chat; mayEdit: boolean }) {
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing && mayEdit) return <AboutForm chat={chat} onDone={() => setIsEditing(false)} />;
  return (
    <div className={styles['about']}>
      <ChatAvatar chat={chat} size={88} />
      <h3>{chat.title}</h3>
      <p className="ui-hint">
        <MemberCount chat={chat} />
      </p>
      {chat.visibility === 'public' ? (
        <p className="ui-hint">{t('Public group: everyone can find it and join.')}</p>
      ) : null}
      {chat.posting === 'managers' ? <p className="ui-hint">{t('Only its owner and admins write here.')}</p> : null}
      {chat.description ? <p dir="auto">{chat.description}</p> : null}
      {mayEdit ? (
        <Button size="small" look="quiet" onClick={() => setIsEditing(true)}>
          <Pencil aria-hidden /> {t('Edit group')}
        </Button>
      ) : null}
    </div>
  );
}

function AboutForm({ chat, onDone }: { chat: Chat; onDone: () => void }) {
  const { client } = useSession();
  const [title, setTitle] = useState(chat.title ?? '');
  const [description, setDescription] = useState(chat.description ?? '');
  const [openness, setOpenness] = useState<Openness>({ visibility: chat.visibility, posting: chat.posting });
  const { isBusy, errorOf, errorBut, submit, refuse } = useSubmit();

  async function save() {
    const [name, about] = [title.trim(), description.trim()];
    if (name === '') return refuse('title', t('Enter a name for the group.'));
    const isDone = await submit(async () => {
      if (name !== chat.title) await client.call('setChatTitle', { chat_id: chat.id, title: name });
      if (about !== (chat.description ?? ''))
        await client.call('setChatDescription', { chat_id: chat.id, description: about });
      const { visibility, posting } = openness;
      if (visibility !== chat.visibility) await client.call('setChatVisibility', { chat_id: chat.id, visibility });
      if (posting !== chat.posting) await client.call('setChatPosting', { chat_id: chat.id, posting });
    });
    return isDone ? onDone() : undefined;
  }

  return (
    <Form className={styles['form']} onSubmit={save}>
      <AvatarPicker
        who={{ name: chat.title ?? '', username: chat.id, kind: 'group', url: chat.avatar_url ?? undefined }}
        onChange={(photo) => client.call('setChatAvatar', { chat_id: chat.id, avatar_file_id: photo?.id ?? null })}
      />
      <Field
        label={t('Name')}
        value={title}
        maxLength={120}
        autoFocus
        error={errorOf('title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextField
        label={t('Description')}
        rows={4}
        value={description}
        maxLength={1_000}
        error={errorOf('description')}
        onChange={({ target }) => setDescription(target.value)}
      />
      <OpennessFields openness={openness} onChange={setOpenness} />
      <Problem text={errorBut('title', 'description')} ofForm />
      <div className={styles['buttons']}>
        <Button onClick={onDone}>{t('Cancel')}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('Save')}
        </Button>
      </div>
    </Form>
  );
}
