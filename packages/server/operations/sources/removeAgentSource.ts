import { householdOf, ofCaller } from '../../commits/unit-locks.ts';
import { announceSources, removeSource } from '../../library/sources.ts';
import { unit } from '../handler.ts';
import { requireOwnedSource } from './owned-source.ts';

/** Removes a source with its text, and its file if nothing else holds it (KNOW-9). */
export default unit(
  'removeAgentSource',
  { locks: (request) => [...ofCaller(request), householdOf(request.caller)], addsData: false },
  async (call, { source_id: id }) => {
    const row = await requireOwnedSource(call, id);
    await removeSource(call, row);
    await announceSources(call, row.agent_key);
    return undefined;
  },
);
