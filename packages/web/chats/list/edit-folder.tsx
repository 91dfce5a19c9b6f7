import type { Folder, FolderRule } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { type SubmitEvent, useId, useState } from 'react';
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
import { useEveryChange } from './use-every-change.ts';
import { t } from '../../words/t.ts';

const kinds = Object.keys(kindNames) as FolderRule['kinds']; // its own keys

/** Whether each of these conversations is to be in a list, or not any more. */
type Wishes = ReadonlyMap<string, boolean>;

/** A list of conversations after the wishes. */
const withWishes = (ids: readonly string[], wishes: Wishes): readonly string[] => [
  ...ids.filter((id) => wishes.get(id) !== false),
  ...[...wishes].flatMap(([id, isIn]) => (isIn && !ids.includes(id) ? id : [])),
];

interface EditFolderProps {
  /** Null: a new one. */
  folder: Folder | null;
  /** A conversation that the user wants in the folder. */
  chatId?: string;
  onClose: () => void;
}

/** What belongs in a folder: kinds of conversations, chosen ones, and exceptions (WEB-409). */
export default function EditFolder({ folder, chatId: wanted, onClose }: EditFolderProps) {
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
  // Another device may change what the folder leaves out while the form is open, so the form keeps its own changes alone.
  const now = useCell(store.folders).find((one) => one.id === id)?.rule;
  const [leaving, setLeaving] = useState<Wishes>(new Map());
  const leftOut = withWishes(now?.left_out ?? [], leaving);
  /** Conversations to move into the folder, or out of it. */
  const [moved, setMoved] = useState<Wishes>(() => new Map(wanted === undefined ? [] : [[wanted, true]]));
  const formId = useId();
  const { isBusy, errorBut, submit, refuse, errorOf } = useSubmit();

  useEveryChange(chats.ids);
  const chatOf = (chatId: string) => store.chat(chatId).get();
  const isIn = (chatId: string, folderId = id) => folderId !== undefined && chatOf(chatId)?.folder_id === folderId;
  const isChosen = (chatId: string) => moved.get(chatId) ?? isIn(chatId);
  const choose = (chatId: string, isWanted: boolean) => setMoved(new Map(moved).set(chatId, isWanted));
  const leave = (chatId: string, isWanted: boolean) => setLeaving(new Map(leaving).set(chatId, isWanted));
  const ruleWith = (ids: readonly string[]): FolderRule | null =>
    included.length === 0
      ? null
      : {
          kinds: kinds.filter((kind) => included.includes(kind)),
          ...(onlyUnread && { only_unread: true }),
          ...(withoutMuted && { without_muted: true }),
          ...(ids.length > 0 && { left_out: [...ids] }),
        };
  const otherRules = store.folders.get().flatMap((other) => (other.id !== id && other.rule) || []);
  const leftOutByOthers = otherRules.flatMap(({ left_out }) => left_out ?? []).length;
  const mostLeftOut = Math.min(limits.folderLeftOut, limits.foldersLeftOut - leftOutByOthers);
  const rule = ruleWith(leftOut);
  const stillThere = leftOut.filter((chatId) => chatOf(chatId));
  const archived = new Set(chats.archived);
  const chosen = chats.ids.filter(isChosen);
  const shown = chats.ids.filter((chatId) => {
    const chat = chatOf(chatId);
    return chat && !archived.has(chatId) && (isChosen(chatId) || (rule && followsRule(chat, rule, me)));
  });

  async function write() {
    const folderId = await putFolder(session, {
      id,
      name: name.trim(),
      rule: (before) => {
        const ids = withWishes(before?.left_out ?? [], leaving);
        // One that the user has left stays left out if they return, unless its place is needed.
        const isTooLong = ids.length > mostLeftOut && !isLoading;
        return ruleWith(isTooLong ? ids.filter((chatId) => chatOf(chatId)) : ids);
      },
    });
    setId(folderId);
    for (const [chatId, isWanted] of moved)
      if (isWanted !== isIn(chatId, folderId)) await moveTo(session, chatId, isWanted ? folderId : null);
  }
  async function save(event: SubmitEvent) {
    event.preventDefault();
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
          <Button type="submit" form={formId} look="primary" isBusy={isBusy}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void save(event)} noValidate>
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
              onChange={(isOn) => setIncluded(isOn ? [...included, kind] : included.filter((one) => one !== kind))}
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
            ids={stillThere}
            isFull={stillThere.length >= mostLeftOut}
            onAdd={(chatId) => leave(chatId, true)}
            onRemove={(chatId) => leave(chatId, false)}
          />
        ) : null}
        <FolderPreview ids={shown} />
        <Problem text={errorBut('name')} />
      </form>
    </Dialog>
  );
}
