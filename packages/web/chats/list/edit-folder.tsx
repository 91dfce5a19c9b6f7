import type { Folder } from '@parley/protocol';
import { type SubmitEvent, useId } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from './edit-folder.module.css';
import { FolderChats } from './folder-chats.tsx';
import { kindNames } from './folder-kinds.ts';
import { FolderPreview } from './folder-preview.tsx';
import { folderKinds, useFolderForm } from './use-folder-form.ts';
import { t } from '../../words/t.ts';

interface EditFolderProps {
  /** Null: a new one. */
  folder: Folder | null;
  /** A conversation that the user wants in the folder. */
  chatId?: string;
  onClose: () => void;
}

/** What belongs in a folder: kinds of conversations, chosen ones, and exceptions. */
export default function EditFolder({ folder, chatId, onClose }: EditFolderProps) {
  const form = useFolderForm(folder, chatId);
  const formId = useId();
  const { isBusy, errorBut, submit, refuse, errorOf } = useSubmit();
  const hasRule = form.kinds.length > 0;
  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (form.name.trim() === '') return refuse('name', t('Enter a name for the folder.'));
    if (await submit(form.write)) onClose();
    return undefined;
  }
  return (
    <Dialog
      title={folder ? t('Edit folder') : t('New folder')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <p className={styles['count']} role="status">
            {form.isLoading
              ? t('Counting …')
              : t('{count, plural, one {# conversation} other {# conversations}}', { count: form.shown.length })}
          </p>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" form={formId} look="primary" isBusy={isBusy}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void save(event)} noValidate>
        <Field
          label={t('Folder name')}
          value={form.name}
          maxLength={32}
          autoComplete="off"
          error={errorOf('name')}
          onChange={({ target }) => form.setName(target.value)}
        />
        <fieldset className={styles['part']}>
          <legend>{t('Include automatically')}</legend>
          <p className={styles['hint']}>{t('New conversations of these kinds appear in the folder by themselves.')}</p>
          {folderKinds.map((kind) => (
            <Switch
              key={kind}
              label={kindNames[kind]}
              isOn={form.kinds.includes(kind)}
              onChange={(isOn) => form.include(kind, isOn)}
            />
          ))}
        </fieldset>
        {hasRule ? (
          <fieldset className={styles['part']}>
            <legend>{t('Of these only')}</legend>
            <Switch
              label={t('Unread')}
              hint={t('A conversation leaves the folder when you have read it.')}
              isOn={form.onlyUnread}
              onChange={form.setOnlyUnread}
            />
            <Switch label={t('Not muted')} isOn={form.withoutMuted} onChange={form.setWithoutMuted} />
          </fieldset>
        ) : null}
        <FolderChats
          title={t('Always in the folder')}
          hint={t('You can choose a conversation for one folder. It moves here from another one.')}
          ids={form.chosen}
          onAdd={(id) => form.choose(id, true)}
          onRemove={(id) => form.choose(id, false)}
        />
        {hasRule ? (
          <FolderChats
            title={t('Never in the folder')}
            ids={form.leftOut}
            isFull={form.isLeftOutFull}
            onAdd={(id) => form.leave(id, true)}
            onRemove={(id) => form.leave(id, false)}
          />
        ) : null}
        <FolderPreview ids={form.shown} />
        <Problem text={errorBut('name')} />
      </form>
    </Dialog>
  );
}
