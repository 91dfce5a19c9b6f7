// What agents remember (NOTE-1). A place is an agent with a person, in their direct chats, or with a group.
import { statement } from './sql.ts';

/** One of the last two is 0. */
type Place = [agent: number, human: number, chat: number];

export interface NoteRow {
  key: number;
  id: Uint8Array;
  agent_key: number;
  /** 0: of a group. */
  human_key: number;
  /** 0: of a person. */
  chat_key: number;
  text: string;
  writer_key: number;
  by_agent: 0 | 1;
  created_at: number;
  edited_at: number | null;
  editor_key: number | null;
}

/** A note with the accounts that its record names. */
export interface ShownNoteRow extends NoteRow {
  agent: string;
  agent_name: string;
  writer: string;
  writer_name: string;
  editor: string | null;
  editor_name: string | null;
  /** Of the group. */
  chat_id: Uint8Array | null;
}

const columns = `n.key, n.id, n.agent_key, n.human_key, n.chat_key, n.text, n.writer_key, n.by_agent, n.created_at,
  n.edited_at, n.editor_key`;
const shown = `SELECT ${columns}, a.username AS agent, a.display_name AS agent_name, w.username AS writer,
    w.display_name AS writer_name, e.username AS editor, e.display_name AS editor_name, c.id AS chat_id
  FROM notes n JOIN accounts a ON a.key = n.agent_key JOIN accounts w ON w.key = n.writer_key
  LEFT JOIN accounts e ON e.key = n.editor_key LEFT JOIN chats c ON c.key = n.chat_key`;

export const noteById = statement<NoteRow, [id: Uint8Array]>(`SELECT ${columns} FROM notes n WHERE n.id = $1`);
export const shownNote = statement<ShownNoteRow, [key: number]>(`${shown} WHERE n.key = $1`);
/** Newest first. */
export const notesOf = statement<ShownNoteRow, [...Place, limit: number]>(
  `${shown} WHERE n.agent_key = $1 AND n.human_key = $2 AND n.chat_key = $3 ORDER BY n.key DESC LIMIT $4`,
);
export const countNotes = statement<{ count: number }, Place>(
  'SELECT count(*) AS count FROM notes WHERE agent_key = $1 AND human_key = $2 AND chat_key = $3',
);
export const insertNote = statement<
  { key: number },
  [...Place, id: Uint8Array, text: string, writer: number, byAgent: number, now: number]
>(
  `INSERT INTO notes (agent_key, human_key, chat_key, id, text, writer_key, by_agent, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING key`,
);
export const editNote = statement<never, [key: number, text: string, editor: number, now: number]>(
  'UPDATE notes SET text = $2, editor_key = $3, edited_at = $4 WHERE key = $1',
);
export const dropNote = statement<never, [key: number]>('DELETE FROM notes WHERE key = $1');
export const dropNotesOfAgent = statement<never, [agent: number]>('DELETE FROM notes WHERE agent_key = $1');
export const dropNotesOfAgentIn = statement<never, [agent: number, chat: number]>(
  'DELETE FROM notes WHERE agent_key = $1 AND human_key = 0 AND chat_key = $2',
);
/** A group that no person is left in remembers nothing. */
export const dropNotesOfChat = statement<never, [chat: number]>(
  'DELETE FROM notes WHERE chat_key = $1 AND chat_key <> 0',
);

/** A page of a person's own notes and those that it has written; what others wrote into them since is left out where it is no longer. */
export const notesOfPerson = statement<ShownNoteRow, [human: number, after: number, limit: number]>(
  `${shown} WHERE n.key > $2 AND (n.human_key = $1 OR n.writer_key = $1 AND (n.editor_key IS NULL OR n.editor_key = $1
     OR EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = n.chat_key AND p.account_key = $1))) ORDER BY n.key LIMIT $3`,
);
