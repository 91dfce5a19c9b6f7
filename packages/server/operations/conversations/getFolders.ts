import { folderRecord } from '../../rendering/records.ts';
import { foldersOf } from '../../store/chat-states.ts';
import { read } from '../handler.ts';

export default read('getFolders', async ({ tx, caller }) => ({
  items: (await tx.all(foldersOf, caller.key)).map(folderRecord),
}));
