import type { Chat } from '@parley/client/store';
import type { Folder, FolderRule, Params } from '@parley/protocol';
import type { Session } from '../../session/session.ts';
import { canFollowRule } from './shown-chats.ts';

/** As `setFolders` takes them: a folder without `rule` keeps its own. */
type SentFolders = Params<'setFolders'>['folders'];

/** The last change of each session's folders. */
const changes = new WeakMap<Session['store'], Promise<unknown>>();

/**
 * Changes the folders as they are at that moment, one change after another: a call replaces the whole list, which another
 * device may have changed since a form opened.
 */
function changeFolders(
  { client, store }: Session,
  change: (now: readonly Folder[]) => SentFolders,
): Promise<readonly Folder[]> {
  const run = async () => {
    const { items } = await client.call('setFolders', { folders: change(store.folders.get()) });
    store.putFolders(items);
    return items;
  };
  const done = (changes.get(store) ?? Promise.resolve()).then(run, run);
  changes.set(store, done);
  return done;
}

const withoutRule = ({ id, name }: Folder): SentFolders[number] => ({ id, name });

/** A folder as it shall be; without an id, or with that of one that another device has deleted, it is a new one. */
interface WantedFolder {
  id: string | undefined;
  name: string;
  /** Makes the rule from the one that the folder has now. Null: only the chosen conversations. */
  rule: (now: FolderRule | undefined) => FolderRule | null;
}

/** Creates or changes one folder, and leaves the others as they are. Returns its id. */
export async function putFolder(session: Session, { id, name, rule }: WantedFolder): Promise<string> {
  let at = -1;
  const items = await changeFolders(session, (now) => {
    at = now.findIndex((folder) => folder.id === id);
    const before = now[at];
    const sent = now.map(withoutRule);
    return before
      ? sent.with(at, { id: before.id, name, rule: rule(before.rule) })
      : [...sent, { name, rule: rule(undefined) }];
  });
  return items.at(at)?.id ?? '';
}

/** The folders in this order and without the deleted ones; those that the order does not know are last. */
export function arranged(
  folders: readonly Folder[],
  order: readonly string[],
  deleted: ReadonlySet<string>,
): readonly Folder[] {
  const places = new Map(order.map((id, at) => [id, at]));
  const placeOf = ({ id }: Folder): number => places.get(id) ?? order.length;
  return folders.filter(({ id }) => !deleted.has(id)).toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Orders and deletes folders. */
export async function arrangeFolders(
  session: Session,
  order: readonly string[],
  deleted: ReadonlySet<string>,
): Promise<void> {
  await changeFolders(session, (now) => arranged(now, order, deleted).map(withoutRule));
}

/** Moves a conversation into a folder, or out of its folder. */
export async function moveTo({ client, store }: Session, chat_id: string, folder_id: string | null): Promise<void> {
  store.putChat(await client.call('setChatState', { chat_id, folder_id }));
}

/** Takes a conversation out of a folder for good: it is not chosen any more, and the rule leaves it out. */
export async function leaveOut(session: Session, chat: Chat, { id, rule }: Folder): Promise<void> {
  if (canFollowRule(chat, rule, session.username))
    await changeFolders(session, (now) =>
      now.map((folder) => ({
        ...withoutRule(folder),
        ...(folder.id === id && folder.rule && { rule: withLeftOut(folder.rule, chat.id) }),
      })),
    );
  if (chat.folder_id === id) await moveTo(session, chat.id, null);
}

const withLeftOut = (rule: FolderRule, chatId: string): FolderRule => ({
  ...rule,
  left_out: [...new Set(rule.left_out).add(chatId)],
});
