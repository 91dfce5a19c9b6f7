// What agents remember: notes of a person in its direct chats with an agent, or of a group (NOTE-1).
import { limits, type Note } from '@parley/protocol';
import type { Call } from '../access/call.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { conflict, forbidden, notFound } from '../core/errors.ts';
import { accountScope, chatScope } from '../core/event-kinds.ts';
import { idBytes, idText, newIdBytes } from '../core/ids.ts';
import { actorOf } from '../rendering/accounts.ts';
import { chatByKey, isParticipant, participant } from '../store/chats.ts';
import {
  countNotes,
  dropNote,
  insertNote,
  noteById,
  type NoteRow,
  notesOf,
  shownNote,
  type ShownNoteRow,
} from '../store/notes.ts';
import type { Sql } from '../store/sql.ts';

/** The place of notes: one of the last two keys is 0. */
export type NotePlace = Pick<NoteRow, 'agent_key' | 'human_key' | 'chat_key'>;

const time = (ms: number): string => new Date(ms).toISOString();
const person = (username: string, name: string) => actorOf({ username, kind: 'human', display_name: name });

export function noteRecord(row: ShownNoteRow): Note {
  const agent = actorOf({ username: row.agent, kind: 'agent', display_name: row.agent_name });
  const writer = person(row.writer, row.writer_name);
  return {
    id: idText(row.id),
    ...(row.chat_id && { conversation_id: idText(row.chat_id) }),
    agent,
    text: row.text,
    written_by: row.by_agent === 1 ? agent : writer,
    ...(row.by_agent === 1 && { asked_by: writer }),
    created_at: time(row.created_at),
    ...(row.edited_at !== null && { edited_at: time(row.edited_at) }),
    ...(row.editor !== null && { edited_by: person(row.editor, row.editor_name ?? '') }),
  };
}

interface Asked {
  chatKey: number;
  agentKey: number;
  personKey: number;
}

/**
 * Where an agent remembers what it is told by a person in a conversation: in a direct chat that person's place, in a group
 * the group's (NOTE-1, NOTE-4). Undefined if one of the two does not take part: nothing is read or written then.
 */
export async function notePlace(tx: Sql, { chatKey, agentKey, personKey }: Asked): Promise<NotePlace | undefined> {
  const chat = await tx.get(chatByKey, chatKey);
  if (!chat || !(await tx.get(isParticipant, chatKey, personKey)) || !(await tx.get(isParticipant, chatKey, agentKey)))
    return undefined;
  const isGroup = chat.kind === 'group';
  return { agent_key: agentKey, human_key: isGroup ? 0 : personKey, chat_key: isGroup ? chat.key : 0 };
}

export const notesIn = (tx: Sql, { agent_key, human_key, chat_key }: NotePlace) =>
  tx.all(notesOf, agent_key, human_key, chat_key, limits.notes);

interface Written {
  text: string;
  writerKey: number;
  isByAgent: boolean;
}

/** Adds a note; throws if the place has as many as it may have (NOTE-2). */
export async function addNote(call: UnitCall, place: NotePlace, written: Written): Promise<ShownNoteRow> {
  const { tx, now } = call;
  const { agent_key, human_key, chat_key } = place;
  if (((await tx.get(countNotes, agent_key, human_key, chat_key))?.count ?? 0) >= limits.notes)
    throw conflict(`there are ${limits.notes} notes already: delete some first`);
  const { text, writerKey, isByAgent } = written;
  const id = newIdBytes(now);
  const made = await tx.get(insertNote, agent_key, human_key, chat_key, id, text, writerKey, Number(isByAgent), now);
  const row = made && (await tx.get(shownNote, made.key));
  if (!row) throw new Error('INSERT … RETURNING returned no row');
  announceNotes(call, row);
  return row;
}

/** Tells everybody who sees the place that its notes have changed (NOTE-7). */
export function announceNotes(call: UnitCall, row: ShownNoteRow): void {
  const isGroup = row.chat_key !== 0;
  call.emit({
    scope: isGroup ? chatScope(row.chat_key) : accountScope(row.human_key),
    kind: 'notesChanged',
    params: { agent_username: row.agent, ...(row.chat_id && { conversation_id: idText(row.chat_id) }) },
  });
}

/** Deletes a note with the rights of a person: in a group its writer's and those of who manages it (NOTE-5). */
export async function removeNote(call: UnitCall, row: NoteRow, personKey: number): Promise<void> {
  const { tx } = call;
  if (row.chat_key !== 0 && row.writer_key !== personKey) {
    const own = await tx.get(participant, row.chat_key, personKey);
    if (!own || own.role === 'member') throw forbidden('only its writer, the owner and admins may delete this note');
  }
  const shown = await tx.get(shownNote, row.key);
  await tx.run(dropNote, row.key);
  if (shown) announceNotes(call, shown);
}

/** The note; 404 also for those who do not see its place (NOTE-5). */
export async function requireNote({ tx, caller }: Pick<Call, 'tx' | 'caller'>, id: string): Promise<NoteRow> {
  requirePerson({ caller });
  const row = await tx.get(noteById, idBytes(id));
  const isSeen =
    row && (row.chat_key === 0 ? row.human_key === caller.key : await tx.get(isParticipant, row.chat_key, caller.key));
  if (!row || !isSeen) throw notFound('note');
  return row;
}

/** People read and write notes; agents have tools for it. */
export function requirePerson({ caller }: Pick<Call, 'caller'>): void {
  if (caller.kind !== 'human') throw forbidden('only people read and write notes');
}
