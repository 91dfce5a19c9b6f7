import { ofCaller } from '../../commits/unit-locks.ts';
import { announceSources } from '../../library/sources.ts';
import { awaitSource } from '../../store/sources.ts';
import { unit } from '../handler.ts';
import { ownSource, requireOwnedSource } from './owned-source.ts';

/** Lets a source be read again; what is being read of it at this moment does not count (KNOW-6). */
export default unit('readAgentSource', { locks: ofCaller }, async (call, { source_id: id }) => {
  const row = await requireOwnedSource(call, id);
  await call.tx.run(awaitSource, row.key);
  await announceSources(call, row.agent_key);
  return ownSource(call, row.key);
});
