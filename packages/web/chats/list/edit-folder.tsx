import type { Folder, FolderRule } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from './edit-folder.module.css';
import { moveTo, putFolder } from './folder-changes.ts';
import { FolderChats } from './folder-chats.tsx';
import { kindNames } from './folder-kinds.ts';
import { FolderPreview } from './folder-preview.tsx';
import { followsRule } from './shown-chats.ts';
import { useAllChats } from './use-all-chats.ts';
import { t } from '../../words/t.ts';

const kinds = Object.keys(kindNames) as FolderRule['kinds']; // its own keys

/** `id` among `ids`, or no longer. */
const toggled = <Id extends string>(ids: readonly Id[], id: Id): readonly Id[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];

/** What belongs in a folder: kinds of conversations, chosen ones, and exceptions (WEB-409). Without `folder` a new one. */
export default function EditFolder({ folder, onClose }: { folder: Folder | null; onClose: () => void }) {
  const session = useSession();
  const { store, username: me } = session;
  const chats = useCell(store.chats);
  // What is in the folder is known once all conversations are.
  const isLoading = useAllChats(chats, Infinity);
  // Set once it exists, so that a second try does not create another one.
  const [id, setId] = useState(folder?.id);
  const [name, setName] = useState(folder?.name ?? '');
  const before = folder?.rule;
  const [included, setIncluded] = useState<readonly FolderRule['kinds'][number][]>(before?.kinds ?? []);
  const [onlyUnread, setOnlyUnread] = useState(before?.only_unread ?? false);
  const [withoutMuted, setWithoutMuted] = useState(before?.without_muted ?? false);
  const [leftOut, setLeftOut] = useState<readonly string[]>(before?.left_out ?? []);
  /** Conversations to move into the folder (true), or out of it. */
  const [moved, setMoved] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { isBusy, errorBut, submit, refuse, errorOf } = useSubmit();

  const chatOf = (chatId: string) => store.chat(chatId).get();
  const isIn = (chatId: string, folderId = id) => folderId !== undefined && chatOf(chatId)?.folder_id === folderId;
  const isChosen = (chatId: string) => moved.get(chatId) ?? isIn(chatId);
  const choose = (chatId: string, isWanted: boolean) => setMoved(new Map(moved).set(chatId, isWanted));
  const rule: FolderRule | null =
    included.length === 0
      ? null
      : {
          kinds: kinds.filter((kind) => included.includes(kind)),
          ...(onlyUnread && { only_unread: true }),
          ...(withoutMuted && { without_muted: true }),
          ...(leftOut.length > 0 && { left_out: [...leftOut] }),
        };
  const otherRules = store.folders.get().flatMap((other) => (other.id !== id && other.rule) || []);
  const leftOutByOthers = otherRules.flatMap(({ left_out }) => left_out ?? []).length;
  const mostLeftOut = Math.min(limits.folderLeftOut, limits.foldersLeftOut - leftOutByOthers);
  const archived = new Set(chats.archived);
  const chosen = chats.ids.filter(isChosen);
  const shown = chats.ids.filter((chatId) => {
    const chat = chatOf(chatId);
    return chat && !archived.has(chatId) && (isChosen(chatId) || (rule && followsRule(chat, rule, me)));
  });

  async function write() {
    // Conversations that the user has left make room for others.
    const left_out = isLoading ? leftOut : leftOut.filter((chatId) => chatOf(chatId));
    const known = rule && { ...rule, left_out: [...left_out] };
    const folderId = await putFolder(session, { id, name: name.trim(), rule: known });
    setId(folderId);
    for (const [chatId, isWanted] of moved)
      if (isWanted !== isIn(chatId, folderId)) await moveTo(session, chatId, isWanted ? folderId : null);
  }
  async function save() {
    if (name.trim() === '') return refuse('name', t('Enter a name for the folder.'));
    if (await submit(write)) onClose();
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
            {isLoading
              ? t('Counting …')
              : t('{count, plural, one {# conversation} other {# conversations}}', { count: shown.length })}
          </p>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void save()}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <Field
        label={t('Folder name')}
        value={name}
        maxLength={32}
        autoComplete="off"
        error={errorOf('name')}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className={styles['part']}>
        <legend>{t('Include automatically')}</legend>
        <p className={styles['hint']}>{t('New conversations of these kinds appear in the folder by themselves.')}</p>
        {kinds.map((kind) => (
          <Switch
            key={kind}
            label={kindNames[kind]}
            isOn={included.includes(kind)}
            onChange={() => setIncluded(toggled(included, kind))}
          />
        ))}
      </fieldset>
      {rule ? (
        <fieldset className={styles['part']}>
          <legend>{t('Of these only')}</legend>
          <Switch
            label={t('Unread')}
            hint={t('A conversation leaves the folder when you have read it.')}
            isOn={onlyUnread}
            onChange={setOnlyUnread}
          />
          <Switch label={t('Not muted')} isOn={withoutMuted} onChange={setWithoutMuted} />
        </fieldset>
      ) : null}
      <FolderChats
        title={t('Always in the folder')}
        hint={t('You can choose a conversation for one folder. It moves here from another one.')}
        ids={chosen}
        onAdd={(chatId) => choose(chatId, true)}
        onRemove={(chatId) => choose(chatId, false)}
      />
      {rule ? (
        <FolderChats
          title={t('Never in the folder')}
          ids={leftOut.filter((chatId) => chatOf(chatId))}
          isFull={leftOut.length >= mostLeftOut}
          onAdd={(chatId) => setLeftOut([...leftOut, chatId])}
          onRemove={(chatId) => setLeftOut(toggled(leftOut, chatId))}
        />
      ) : null}
      <FolderPreview ids={shown} />
      <Problem text={errorBut('name')} />
    </Dialog>
  );
}
