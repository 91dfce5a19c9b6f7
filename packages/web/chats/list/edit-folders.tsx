import type { Folder } from '@parley/protocol';
import { ArrowDown, ArrowUp, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { listOf } from '../../words/list-of.ts';
import EditFolder from './edit-folder.tsx';
import styles from './edit-folders.module.css';
import { arranged, arrangeFolders } from './folder-changes.ts';
import { kindNames } from './folder-kinds.ts';
import { useAllChats } from './use-all-chats.ts';
import { t } from '../../words/t.ts';

const idsOf = (folders: readonly Folder[]): string[] => folders.map(({ id }) => id);

/** Orders and deletes the folders of the list, and leads to what is in each. */
export default function EditFolders({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const { store } = session;
  const chats = useCell(store.chats);
  const isLoading = useAllChats(chats, Infinity);
  const known = useCell(store.folders);
  const [order, setOrder] = useState(() => idsOf(known));
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  const folders = arranged(known, order, deleted);
  // Without folders there is nothing to order.
  const [isFirst] = useState(known.length === 0);
  const [editing, setEditing] = useState<Folder | 'new' | null>(isFirst ? 'new' : null);
  const { isBusy, errorBut, submit } = useSubmit();
  const move = (at: number, by: 1 | -1) => {
    const ids = idsOf(folders);
    const [moved = ''] = ids.splice(at, 1);
    setOrder(ids.toSpliced(at + by, 0, moved));
  };
  async function save() {
    const isSame = idsOf(folders).join() === idsOf(known).join();
    if (isSame || (await submit(() => arrangeFolders(session, order, deleted)))) onClose();
  }
  if (editing)
    return (
      <EditFolder
        folder={editing === 'new' ? null : editing}
        onClose={() => (isFirst ? onClose() : setEditing(null))}
      />
    );
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
        {t('Choose a folder to say what belongs in it. Deleting a folder keeps its conversations.')}
      </p>
      <ul className={styles['list']}>
        {folders.map((folder, at) => (
          <li key={folder.id}>
            <button
              type="button"
              className={classNames(styles['folder'], 'ui-hover')}
              onClick={() => setEditing(folder)}
            >
              <span className="ui-texts">
                <span className="ui-cut" dir="auto">
                  {folder.name}
                </span>
                <span className="ui-cut ui-note">
                  {[
                    ...(folder.rule ? [listOf(folder.rule.kinds.map((kind) => kindNames[kind]))] : []),
                    isLoading
                      ? t('Counting …')
                      : t('{count, plural, one {# conversation} other {# conversations}}', {
                          count: chats.byFolder[folder.id]?.length ?? 0,
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
              onClick={() => setDeleted(new Set(deleted).add(folder.id))}
            />
          </li>
        ))}
      </ul>
      <Button size="small" look="quiet" onClick={() => setEditing('new')}>
        <FolderPlus aria-hidden /> {t('New folder')}
      </Button>
      <Problem text={errorBut()} />
    </Dialog>
  );
}
