import type { Run } from './own-tools.ts';
import { argumentsOf } from './tool-arguments.ts';

/** What the model gets of a note that was stored: its id is in the notes of the next request. */
const REMEMBERED = 'It is noted.';
const FORGOTTEN = 'The note is deleted.';

/** Writes a note of the place in which the turn runs (OWN-10). */
export const remember: Run = async ({ units }, { call, place, stored, seal }) => {
  const { text } = argumentsOf('remember', { call });
  const input = { ...place, callKey: call.key, text, result: seal(REMEMBERED) };
  const state = await stored(() => units.rememberForCall(input));
  return state === null ? null : { stored: state, result: REMEMBERED };
};

/** Deletes a note of the place in which the turn runs, with the rights of the asker (OWN-11). */
export const forget: Run = async ({ units }, { call, place, stored, seal }) => {
  const { note_id: noteId } = argumentsOf('forget', { call });
  const input = { ...place, callKey: call.key, noteId, result: seal(FORGOTTEN) };
  const state = await stored(() => units.forgetForCall(input));
  return state === null ? null : { stored: state, result: FORGOTTEN };
};
