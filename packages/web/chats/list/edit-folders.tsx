import { ArrowDown, ArrowUp, FolderPlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from './edit-folders.module.css';
import { t } from '../../words/t.ts';

interface Entry {
  /** Absent for a folder that does not exist yet. */
  id?: string;
  name: string;
  /** Identifies the row. */
  key: number;
}

let keys = 0;
const entryOf = (folder: { id?: string; name: string }): Entry => ({ ...folder, key: (keys += 1) });

/** Names, orders, creates and deletes the folders of the list (WEB-186). */
export default function EditFolders({ onClose }: { onClose: () => void }) {
  const { client, store } = useSession();
  const [entries, setEntries] = useState(() => {
    const known = store.folders.get().map((folder) => entryOf(folder));
    return known.length > 0 ? known : [entryOf({ name: '' })];
  });
  const { isBusy, errorBut, submit } = useSubmit();
  const rename = (key: number, name: string) =>
    setEntries((all) => all.map((one) => (one.key === key ? { ...one, name } : one)));
  const move = (at: number, by: 1 | -1) =>
    setEntries((all) => {
      const moved = all[at];
      return moved ? all.toSpliced(at, 1).toSpliced(at + by, 0, moved) : all;
    });
  // A new row that was left empty is no folder.
  const named = entries.map(({ id, name }) => ({ id, name: name.trim() })).filter(({ id, name }) => id ?? name);
  async function save() {
    if (await submit(async () => client.call('setFolders', { folders: named }))) onClose();
  }
  return (
    <Dialog
      title={t('Folders')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void save()}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <p className={styles['hint']}>
        {t('Each conversation can be in one folder. Deleting a folder keeps its conversations.')}
      </p>
      <ul className={styles['list']}>
        {entries.map(({ id, key, name }, at) => (
          <li key={key}>
            <Field
              className={styles['name']}
              label={t('Folder {number, number}', { number: at + 1 })}
              value={name}
              maxLength={32}
              autoComplete="off"
              error={id !== undefined && name.trim() === '' ? t('Enter a name.') : null}
              onChange={({ target }) => rename(key, target.value)}
            />
            <IconButton
              label={t('Move folder {number, number} up', { number: at + 1 })}
              icon={<ArrowUp />}
              disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <IconButton
              label={t('Move folder {number, number} down', { number: at + 1 })}
              icon={<ArrowDown />}
              disabled={at === entries.length - 1}
              onClick={() => move(at, 1)}
            />
            <IconButton
              label={t('Delete folder {number, number}', { number: at + 1 })}
              icon={<Trash2 />}
              onClick={() => setEntries(entries.filter((one) => one.key !== key))}
            />
          </li>
        ))}
      </ul>
      <Button size="small" look="quiet" onClick={() => setEntries([...entries, entryOf({ name: '' })])}>
        <FolderPlus aria-hidden /> {t('New folder')}
      </Button>
      <Problem text={errorBut()} />
    </Dialog>
  );
}
