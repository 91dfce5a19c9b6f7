import type { Chat } from '@parley/client/store';
import { type SubmitEvent, useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { moveTo, putFolder } from './folder-changes.ts';
import styles from '../chat/details.module.css';
import { t } from '../../words/t.ts';

/** Creates a folder and moves a conversation into it (WEB-186). */
export function NewFolder({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const session = useSession();
  // Set once it exists, so that a second try does not create another one.
  const [id, setId] = useState<string>();
  const [name, setName] = useState('');
  const { isBusy, errorBut, submit, refuse, errorOf } = useSubmit();
  async function create() {
    const folderId = await putFolder(session, { id, name: name.trim(), rule: () => null });
    setId(folderId);
    await moveTo(session, chat.id, folderId);
  }
  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (name.trim() === '') return refuse('name', t('Enter a name for the folder.'));
    if (await submit(create)) onClose();
    return undefined;
  }
  return (
    <Dialog title={t('New folder')} isOpen onClose={onClose}>
      <form className={styles['form']} onSubmit={(event) => void save(event)} noValidate>
        <Field
          label={t('Folder name')}
          value={name}
          maxLength={32}
          autoComplete="off"
          error={errorOf('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <Problem text={errorBut('name')} />
        <div className={styles['buttons']}>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {t('Create folder')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
