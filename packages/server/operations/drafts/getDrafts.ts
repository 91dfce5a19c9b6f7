// Drafts: unsent input of accounts.
import { read } from '../handler.ts';
import { draftRecord } from '../../messages/input-drafts.ts';
import { draftsOf, timelineDraftsOf } from '../../store/drafts.ts';

export default read('getDrafts', async ({ tx, caller }, { timelines }) => {
  const rows = await tx.all(draftsOf, caller.key);
  const others = timelines === true ? await tx.all(timelineDraftsOf, caller.key) : [];
  return { items: [...rows, ...others].map(draftRecord) };
});
