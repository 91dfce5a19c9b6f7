import { ofCaller } from '../../commits/unit-locks.ts';
import { announceSources } from '../../library/sources.ts';
import { changeSource } from '../../store/sources.ts';
import { unit } from '../handler.ts';
import { ownSource, requireOwnedSource } from './owned-source.ts';

/** The title of a source, and whether others may open it (KNOW-5). */
export default unit(
  'setAgentSource',
  { locks: ofCaller, addsData: ({ title }) => title !== undefined },
  async (call, { source_id: id, title, open }) => {
    const row = await requireOwnedSource(call, id);
    const after = {
      title: title ?? row.title,
      untitled: title === undefined ? row.is_untitled : 0,
      open: open === undefined ? row.is_open : Number(open),
    };
    if (after.title !== row.title || after.untitled !== row.is_untitled || after.open !== row.is_open) {
      await call.tx.run(changeSource, row.key, after.title, after.untitled, after.open);
      await announceSources(call, row.agent_key);
    }
    return ownSource(call, row.key);
  },
);
