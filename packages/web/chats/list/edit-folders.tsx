import type { Folder } from '@parley/protocol';
import { ArrowDown, ArrowUp, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { listOf } from '../../words/list-of.ts';
import EditFolder from './edit-folder.tsx';
import styles from './edit-folders.module.css';
import { kindNames } from './folder-kinds.ts';
import { t } from '../../words/t.ts';

/** Orders and deletes the folders of the list, and leads to what is in each (WEB-186). */
export default function EditFolders({ onClose }: { onClose: () => void }) {
  const { client, store } = useSession();
  const { byFolder } = useCell(store.chats);
  const [known, setKnown] = useState(() => store.folders.get());
  const [folders, setFolders] = useState(known);
  // Without folders there is nothing to order.
  const [editing, setEditing] = useState<Folder | 'new' | null>(folders.length === 0 ? 'new' : null);
  const { isBusy, errorBut, submit } = useSubmit();
  const move = (at: number, by: 1 | -1) => {
    const moved = folders[at];
    if (moved) setFolders(folders.toSpliced(at, 1).toSpliced(at + by, 0, moved));
  };
  async function save(): Promise<boolean> {
    if (folders === known) return true;
    // Without rules in the call the folders keep their own.
    return submit(async () => {
      const { items } = await client.call('setFolders', { folders: folders.map(({ id, name }) => ({ id, name })) });
      store.putFolders(items);
    });
  }
  async function edit(next: Folder | 'new') {
    if (await save()) setEditing(next);
  }
  function back() {
    if (known.length === 0) return onClose();
    const now = store.folders.get();
    setKnown(now);
    setFolders(now);
    setEditing(null);
    return undefined;
  }
  if (editing) return <EditFolder folder={editing === 'new' ? null : editing} onClose={back} />;
  return (
    <Dialog
      title={t('Folders')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void save().then((isSaved) => isSaved && onClose())}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <p className={styles['hint']}>
        {t('Choose a folder to say what belongs in it. Deleting a folder keeps its conversations.')}
      </p>
      <ul className={styles['list']}>
        {folders.map((folder, at) => (
          <li key={folder.id}>
            <button type="button" className={styles['folder']} onClick={() => void edit(folder)}>
              <span className={styles['words']}>
                <span className={styles['name']} dir="auto">
                  {folder.name}
                </span>
                <span className={styles['about']}>
                  {[
                    ...(folder.rule ? [listOf(folder.rule.kinds.map((kind) => kindNames[kind]))] : []),
                    t('{count, plural, one {# conversation} other {# conversations}}', {
                      count: byFolder[folder.id]?.length ?? 0,
                    }),
                  ].join(' · ')}
                </span>
              </span>
              <Pencil aria-hidden />
            </button>
            <IconButton
              label={t('Move folder {number, number} up', { number: at + 1 })}
              icon={<ArrowUp />}
              disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <IconButton
              label={t('Move folder {number, number} down', { number: at + 1 })}
              icon={<ArrowDown />}
              disabled={at === folders.length - 1}
              onClick={() => move(at, 1)}
            />
            <IconButton
              label={t('Delete folder {number, number}', { number: at + 1 })}
              icon={<Trash2 />}
              onClick={() => setFolders(folders.filter((one) => one !== folder))}
            />
          </li>
        ))}
      </ul>
      <Button size="small" look="quiet" onClick={() => void edit('new')}>
        <FolderPlus aria-hidden /> {t('New folder')}
      </Button>
      <Problem text={errorBut()} />
    </Dialog>
  );
}
