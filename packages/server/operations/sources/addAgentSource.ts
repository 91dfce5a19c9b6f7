import { limits } from '@parley/protocol';
import { householdOf, ofCaller } from '../../commits/unit-locks.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { idBytes, newIdBytes } from '../../core/ids.ts';
import { announceSources, titleOf } from '../../library/sources.ts';
import { countUse, fileForAccount } from '../../store/files.ts';
import { countSources, insertSource, sameSource } from '../../store/sources.ts';
import { unit } from '../handler.ts';
import { ownSource, requireReader } from './owned-source.ts';

/** Adds a file of the caller's own, or a page, to a library; it is read later (KNOW-2, KNOW-3). */
export default unit(
  'addAgentSource',
  // The owner's sources are counted.
  { locks: (request) => [...ofCaller(request), householdOf(request.caller)] },
  async (call, { username, file_id, url = null, title, open = false }) => {
    const { tx, caller, now } = call;
    const agent = await requireReader(call, username);
    const file = file_id === undefined ? undefined : await tx.get(fileForAccount, idBytes(file_id), caller.key);
    // Files of others stay theirs: they may delete them, and theirs is the room that they take.
    if (file_id !== undefined && file?.account_key !== caller.key) throw notFound('file');
    const fileKey = file?.key ?? 0;
    if (await tx.get(sameSource, agent.key, fileKey, url)) throw conflict('this is in the library already');
    if (((await tx.get(countSources, agent.key))?.count ?? 0) >= limits.sources)
      throw conflict(`the library has ${limits.sources} files and pages already: remove some first`);
    // Another unit may have deleted the last message that held the file, and the file with it.
    if (file && !(await tx.get(countUse, file.key))) throw notFound('file');
    const named = title ?? titleOf(file?.name ?? url ?? '');
    const isUntitled = Number(title === undefined && url !== null);
    const made = await tx.get(
      insertSource,
      newIdBytes(now),
      agent.key,
      fileKey,
      url,
      named,
      isUntitled,
      Number(open),
      now,
    );
    if (!made) throw new Error('INSERT … RETURNING returned no row');
    await announceSources(call, agent.key);
    return ownSource(call, made.key);
  },
);
