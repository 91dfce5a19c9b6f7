import { type Folder, type FolderRule, limits } from '@parley/protocol';
import { ofCaller } from '../../commits/unit-locks.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { accountScope } from '../../core/event-kinds.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { deleteFolder, emptyFolder, foldersOf, putFolder } from '../../store/chat-states.ts';
import { folderRecord } from '../../rendering/records.ts';
import { unit } from '../handler.ts';

/** Replaces the list of folders (CHATSTATE-7). */
export default unit('setFolders', { locks: ofCaller }, async (call, input) => {
  const { tx, caller } = call;
  const before = (await tx.all(foldersOf, caller.key)).map(folderRecord);
  const known = new Map(before.map((folder) => [folder.id, folder]));
  if (input.folders.some(({ id }) => id !== undefined && !known.has(id))) throw notFound('folder');
  const folders = input.folders.map(({ id, name, rule }): Folder => {
    // A client that does not know rules sends none: the folder keeps the rule that it has.
    const kept = rule === undefined ? known.get(id ?? '')?.rule : rule && canonical(rule);
    return { id: id ?? idText(call.newId()), name, ...(kept && { rule: kept }) };
  });
  const leftOut = folders.reduce((count, { rule }) => count + (rule?.left_out?.length ?? 0), 0);
  if (leftOut > limits.foldersLeftOut)
    throw invalid('folders', `leave out more than ${limits.foldersLeftOut} conversations together`);
  const kept = new Set(folders.map(({ id }) => id));
  for (const { id } of before) {
    if (kept.has(id)) continue;
    await tx.run(deleteFolder, caller.key, idBytes(id));
    // A folder has at most 1,000 conversations; clients take them out of it when they see the new list.
    await tx.run(emptyFolder, caller.key, idBytes(id));
  }
  for (const [at, { id, name, rule }] of folders.entries())
    await tx.run(putFolder, caller.key, idBytes(id), name, at, rule ? JSON.stringify(rule) : null);
  if (JSON.stringify(folders) !== JSON.stringify(before))
    call.emit({ scope: accountScope(caller.key), kind: 'foldersUpdated', params: { folders } });
  return { items: folders };
});

/** The rule with each kind and each conversation once, and ids in lower case, as conversations have them. */
function canonical({ kinds, left_out: leftOut, ...others }: FolderRule): FolderRule {
  const ids = leftOut && [...new Set(leftOut.map((id) => id.toLowerCase()))];
  return { kinds: [...new Set(kinds)], ...others, ...(ids && { left_out: ids }) };
}
