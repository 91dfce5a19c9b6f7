import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { Actor } from './accounts.ts';

/** Something that an agent remembers of a person, or of a group. */
export const Note = z.object({
  id: z.uuid(),
  conversation_id: z
    .uuid()
    .optional()
    .meta({ description: "the group; absent in the caller's direct chats with the agent" }),
  agent: Actor.describe('the agent that remembers it'),
  text: z.string().describe('what it remembers'),
  written_by: Actor.describe('the agent or the person that wrote it'),
  asked_by: Actor.optional().meta({ description: 'if the agent wrote it: the person whom it answered' }),
  created_at: isoTime(),
  edited_at: isoTime().optional().meta({ description: 'when a person last edited it' }),
  edited_by: Actor.optional().meta({ description: 'the person who last edited it' }),
});
export type Note = z.output<typeof Note>;
