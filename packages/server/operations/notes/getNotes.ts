import { noteRecord, notesIn } from '../../agents/notes.ts';
import { read } from '../handler.ts';
import { requirePlace } from './require-place.ts';

/** What an agent remembers where the caller asks (NOTE-3). */
export default read('getNotes', async (call, input) => {
  const { place } = await requirePlace(call, input);
  return { items: (await notesIn(call.tx, place)).map(noteRecord) };
});
