import { z } from 'zod';
import { label, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Note } from '../resources.ts';

const text = () =>
  label(limits.noteBytes)
    .refine((value) => value.trim() !== '', { message: 'is blank' })
    .describe('what the agent is to remember');
const noteId = { note_id: uuid().describe('as getNotes names it') };
const place = { chat_id: uuid(), agent_username: username() };
const access = ['not_found', 'forbidden'] as const;

export const noteOperations = {
  getNotes: operation({
    since: 16,
    summary:
      "What an agent remembers in a conversation, newest first: in a direct chat of the caller's direct chats with it, in a group of that group. For people who take part only.",
    policy: { rate: 'none', scope: 'read', guests: true },
    input: z.object(place),
    result: z.object({ items: z.array(Note) }),
    errors: access,
  }),
  createNote: operation({
    since: 16,
    summary:
      "Adds something to what an agent remembers: in a direct chat of the caller's direct chats with it, in a group of that group. For people who take part only.",
    policy: { rate: 'writes', scope: null, guests: true },
    input: z.object({ ...place, text: text() }),
    result: Note,
    errors: [...access, 'conflict'],
  }),
  updateNote: operation({
    since: 16,
    summary: 'Replaces the text of a note. Everybody who takes part in the conversation may.',
    policy: { rate: 'writes', scope: null, guests: true },
    input: z.object({ ...noteId, text: text() }),
    result: Note,
    errors: access,
  }),
  deleteNote: operation({
    since: 16,
    summary:
      'Makes an agent forget a note. In a group only its writer, the person for whom the agent wrote it, the owner and admins may.',
    policy: { rate: 'writes', scope: null, guests: true },
    input: z.object(noteId),
    result: null,
    errors: access,
  }),
} as const;
