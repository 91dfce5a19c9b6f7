import type { Chat } from '@parley/client/store';
import type { Folder, FolderRule } from '@parley/protocol';
import type { Session } from '../../session/session.ts';
import { canFollowRule } from './shown-chats.ts';

/** A folder as it shall be; without an id that exists it is a new one. */
export interface WantedFolder {
  id: string | undefined;
  name: string;
  /** Null: only the chosen conversations. */
  rule: FolderRule | null;
}

/** Creates or changes one folder, and leaves the others as they are. Returns its id. */
export async function putFolder({ client, store }: Session, { id, name, rule }: WantedFolder): Promise<string> {
  const known = store.folders.get();
  // Another device may have deleted it.
  const at = known.findIndex((folder) => folder.id === id);
  // Without a rule in the call a folder keeps its own.
  const others: Parameters<typeof client.api.setFolders>[0]['folders'] = known.map((folder) => ({
    id: folder.id,
    name: folder.name,
  }));
  const folders = at === -1 ? [...others, { name, rule }] : others.with(at, { id: known[at]?.id ?? '', name, rule });
  const { items } = await client.call('setFolders', { folders });
  store.putFolders(items);
  return items.at(at)?.id ?? '';
}

/** Moves a conversation into a folder, or out of its folder. */
export async function moveTo({ client, store }: Session, chat_id: string, folder_id: string | null): Promise<void> {
  store.putChat(await client.call('setChatState', { chat_id, folder_id }));
}

/** Takes a conversation out of a folder for good: it is not chosen any more, and the rule leaves it out (WEB-410). */
export async function leaveOut(session: Session, chat: Chat, { id, name, rule }: Folder): Promise<void> {
  if (rule && canFollowRule(chat, rule, session.username))
    await putFolder(session, { id, name, rule: { ...rule, left_out: [...(rule.left_out ?? []), chat.id] } });
  if (chat.folder_id === id) await moveTo(session, chat.id, null);
}
