import { requireVisibleAgent } from '../../agents/config/configured-agent.ts';
import { requireHuman } from '../../agents/default-agent.ts';
import { sourceRecord, type SourceReader } from '../../library/sources.ts';
import { filesOfSources, sourcesOf } from '../../store/sources.ts';
import { read } from '../handler.ts';

/** The library of an agent, as the caller may see it (KNOW-4). */
export default read('getAgentSources', async (call, { username }) => {
  const { tx, caller } = call;
  requireHuman(caller);
  const agent = await requireVisibleAgent(call, username);
  // For a token of certain conversations a file that is in none of them does not exist (ACCESS-8).
  const isLimited = (caller.grant?.chatIds ?? null) !== null;
  const reader: SourceReader = isLimited ? 'nobody' : agent.parent_key === caller.key ? 'owner' : 'user';
  const rows = await tx.all(sourcesOf, agent.key);
  const files = new Map((await tx.all(filesOfSources, agent.key)).map((file) => [file.key, file]));
  return { items: rows.map((row) => sourceRecord(row, files.get(row.file_key), reader)) };
});
