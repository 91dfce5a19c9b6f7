import { fenced } from '../rules/context-notes.ts';
import { leftOut } from '../rules/left-out-files.ts';
import { cutToBytes, RESULT_BYTES } from '../rules/tool-results.ts';
import type { FileRow } from '../store/files.ts';
import { findFile, isFileOfStrangers, noSuchFile, visibleFile } from './find-file.ts';
import type { Run } from './own-tools.ts';
import { argumentsOf, Misuse } from './tool-arguments.ts';

/** How much of a file is read: more than a context holds of it. */
const FORMS = { px: 0, characters: 500_000, pages: 500 } as const;
/** Maximum UTF-16 units of a piece, and its bytes. */
const PIECE = 40_000;
const PIECE_BYTES = RESULT_BYTES - 2_048;

/** A piece of the text of a file that the newest message with it shows to the asker and to the agent (OWN-3). */
export const readConversationFile: Run = async (needs, sent) => {
  const { turn } = sent;
  const { name, file_id: id, offset = 0 } = argumentsOf('read_file', sent);
  if ((name === undefined) === (id === undefined)) throw new Misuse('Give the name of the file or its file_id.');
  const found = await findFile(needs, turn, { name, id });
  if (!found) throw noSuchFile();
  const { file, place } = found;
  const reading = await needs.readings.read(file, FORMS, turn.human_key);
  // The message may have been deleted meanwhile.
  if (!(await visibleFile(needs, turn, place))) throw noSuchFile();
  if (reading.type === 'image') throw new Misuse('This file is a picture, which this tool cannot read.');
  if (reading.type === 'unreadable') throw new Misuse(`The file cannot be read: ${leftOut[reading.why].note}.`);
  return { event: 'finish', result: pieceOf(file, reading.text, offset), isOpenWorld: isFileOfStrangers(place, turn) };
};

function pieceOf(file: FileRow, text: string, offset: number): string {
  const start = Math.min(offset, text.length);
  let piece = text.slice(start, start + PIECE);
  while (Buffer.byteLength(piece) > PIECE_BYTES) piece = piece.slice(0, Math.floor(piece.length * 0.9));
  const end = start + piece.length;
  const next = end < text.length ? ` The next piece begins at offset ${end}.` : ' This is its end.';
  const about = `Characters ${start} to ${end} of ${text.length} of the file ${JSON.stringify(file.name)}.${next}`;
  return cutToBytes(`${about}\n${fenced(piece.toWellFormed())}`, RESULT_BYTES);
}
