import { announceNotes, noteRecord, requireNote } from '../../agents/notes.ts';
import { notFound } from '../../core/errors.ts';
import { ofCaller } from '../../commits/unit-locks.ts';
import { editNote, shownNote } from '../../store/notes.ts';
import { unit } from '../handler.ts';

/** Everybody who sees a note may correct it (NOTE-5). Of two at once the last one counts. */
export default unit('updateNote', { locks: ofCaller }, async (call, { note_id: id, text }) => {
  const { tx, caller, now } = call;
  const { key, text: former } = await requireNote(call, id);
  const isChanged = text !== former;
  if (isChanged) await tx.run(editNote, key, text, caller.key, now);
  const row = await tx.get(shownNote, key);
  // Somebody else has deleted it meanwhile.
  if (!row) throw notFound('note');
  if (isChanged) announceNotes(call, row);
  return noteRecord(row);
});
