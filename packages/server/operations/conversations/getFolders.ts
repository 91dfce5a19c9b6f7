import { idText } from '../../core/ids.ts';
import { foldersOf } from '../../store/chat-states.ts';
import { read } from '../handler.ts';

export default read('getFolders', async ({ tx, caller }) => ({
  items: (await tx.all(foldersOf, caller.key)).map(({ id, name }) => ({ id: idText(id), name })),
}));
