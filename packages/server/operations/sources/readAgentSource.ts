import { ofCaller } from '../../commits/unit-locks.ts';
import { announceSources } from '../../library/sources.ts';
import { awaitSource } from '../../store/sources.ts';
import { unit } from '../handler.ts';
import { ownSource, requireOwnedSource } from './owned-source.ts';

/** Lets a source be read again (KNOW-3). One that waits already goes on waiting. */
export default unit('readAgentSource', { locks: ofCaller }, async (call, { source_id: id }) => {
  const row = await requireOwnedSource(call, id);
  if (row.is_waiting === 0) {
    await call.tx.run(awaitSource, row.key);
    await announceSources(call, row.agent_key);
  }
  return ownSource(call, row.key);
});
