import type { Folder, FolderRule } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { moveTo, putFolder } from './folder-changes.ts';
import { kindNames } from './folder-kinds.ts';
import { followsRule } from './shown-chats.ts';
import { useAllChats } from './use-all-chats.ts';
import { useEveryChange } from './use-every-change.ts';

type FolderKind = FolderRule['kinds'][number];
export const folderKinds = Object.keys(kindNames) as FolderKind[]; // its own keys

/** Whether each of these conversations is to be in a list, or not any more. */
type Wishes = ReadonlyMap<string, boolean>;

/** A list of conversations after the wishes. */
const withWishes = (ids: readonly string[], wishes: Wishes): readonly string[] => [
  ...ids.filter((id) => wishes.get(id) !== false),
  ...[...wishes].flatMap(([id, isIn]) => (isIn && !ids.includes(id) ? id : [])),
];

/**
 * What the user wants of a folder, before it is saved. Another device may change the folder meanwhile, so of the lists of
 * conversations the form keeps only the user's own changes. `wanted` is a conversation that a new folder begins with.
 */
export function useFolderForm(folder: Folder | null, wanted: string | undefined) {
  const session = useSession();
  const { store, username: me } = session;
  const chats = useCell(store.chats);
  // What is in the folder is known once all conversations are.
  const isLoading = useAllChats(chats, Infinity);
  useEveryChange(chats.ids);
  // Set once it exists, so that a second try does not create another one.
  const [id, setId] = useState(folder?.id);
  const [name, setName] = useState(folder?.name ?? '');
  const before = folder?.rule;
  const [kinds, setKinds] = useState<readonly FolderKind[]>(before?.kinds ?? []);
  const [onlyUnread, setOnlyUnread] = useState(before?.only_unread ?? false);
  const [withoutMuted, setWithoutMuted] = useState(before?.without_muted ?? false);
  const [leaving, setLeaving] = useState<Wishes>(new Map());
  const [moving, setMoving] = useState<Wishes>(() => new Map(wanted === undefined ? [] : [[wanted, true]]));

  const folders = useCell(store.folders);
  const now = folders.find((one) => one.id === id)?.rule;
  const others = folders.filter((one) => one.id !== id).flatMap(({ rule }) => rule?.left_out ?? []);
  const mostLeftOut = Math.min(limits.folderLeftOut, limits.foldersLeftOut - others.length);
  const chatOf = (chatId: string) => store.chat(chatId).get();
  const ruleWith = (leftOut: readonly string[]): FolderRule | null =>
    kinds.length === 0
      ? null
      : {
          kinds: folderKinds.filter((kind) => kinds.includes(kind)),
          ...(onlyUnread && { only_unread: true }),
          ...(withoutMuted && { without_muted: true }),
          ...(leftOut.length > 0 && { left_out: [...leftOut] }),
        };
  const allLeftOut = withWishes(now?.left_out ?? [], leaving);
  const rule = ruleWith(allLeftOut);
  const leftOut = allLeftOut.filter((chatId) => chatOf(chatId));
  const isIn = (chatId: string, folderId = id) => folderId !== undefined && chatOf(chatId)?.folder_id === folderId;
  const isChosen = (chatId: string) => moving.get(chatId) ?? isIn(chatId);
  const archived = new Set(chats.archived);
  const isShown = (chatId: string): boolean => {
    const chat = chatOf(chatId);
    if (!chat || archived.has(chatId)) return false;
    return isChosen(chatId) || (rule !== null && followsRule(chat, rule, me));
  };

  async function write(): Promise<void> {
    const folderId = await putFolder(session, {
      id,
      name: name.trim(),
      rule: (current) => {
        const ids = withWishes(current?.left_out ?? [], leaving);
        // One that the user has left stays left out if they return, unless its place is needed.
        const isTooLong = ids.length > mostLeftOut && !isLoading;
        return ruleWith(isTooLong ? ids.filter((chatId) => chatOf(chatId)) : ids);
      },
    });
    setId(folderId);
    for (const [chatId, isWanted] of moving)
      if (isWanted !== isIn(chatId, folderId)) await moveTo(session, chatId, isWanted ? folderId : null);
  }

  return {
    isLoading,
    write,
    name,
    setName,
    /** Kinds of conversations that the folder includes by itself; without any it has no rule. */
    kinds,
    include: (kind: FolderKind, isWanted: boolean) =>
      setKinds(isWanted ? [...kinds, kind] : kinds.filter((one) => one !== kind)),
    onlyUnread,
    setOnlyUnread,
    withoutMuted,
    setWithoutMuted,
    /** Conversations that are always in the folder. */
    chosen: chats.ids.filter(isChosen),
    choose: (chatId: string, isWanted: boolean) => setMoving(new Map(moving).set(chatId, isWanted)),
    /** Conversations that never are. */
    leftOut,
    isLeftOutFull: leftOut.length >= mostLeftOut,
    leave: (chatId: string, isWanted: boolean) => setLeaving(new Map(leaving).set(chatId, isWanted)),
    /** What the folder would show now. */
    shown: chats.ids.filter(isShown),
  };
}
