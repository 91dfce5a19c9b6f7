import { removeNote, requireNote } from '../../agents/notes.ts';
import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';

/** In a group not everybody may (NOTE-5). */
export default unit('deleteNote', { locks: ofCaller, addsData: false }, async (call, { note_id: id }) => {
  await removeNote(call, await requireNote(call, id), call.caller.key);
  return undefined;
});
