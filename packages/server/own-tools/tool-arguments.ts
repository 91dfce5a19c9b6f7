import { limits } from '@parley/protocol';
import { z } from 'zod';
import { codeLimits } from '../code/code-limits.ts';
import type { SentCall } from '../agents/tool-turns/tool-port.ts';

/** A call that cannot be carried out as the model wrote it; the model gets the message. */
export class Misuse extends Error {}

/** What the tools take: the schemas that models are shown, and with which their arguments are read. */
export const toolArguments = {
  search_messages: z.object({
    query: z
      .string()
      .max(256)
      .describe('Words that a message contains, all of them, in any order. A part in quotation marks matches exactly.'),
    from: z.string().max(100).optional().describe('Only messages of this username.'),
    before: z.uuid().optional().describe('Only messages older than the one with this id: for the next page.'),
    before_time: z.iso.datetime({ offset: true }).optional().describe('Only messages older than this: ISO 8601.'),
  }),
  read_file: z.object({
    name: z.string().max(1_000).optional().describe('The name of the file, as it stands in the conversation.'),
    file_id: z.uuid().optional().describe('Its id, as search_messages returns it, instead of the name.'),
    offset: z.int().min(0).optional().describe('The character at which to begin; 0 if it is left out.'),
  }),
  list_people: z.object({}),
  current_time: z.object({
    zone: z.string().max(100).optional().describe('An IANA time zone, such as Europe/Berlin, if the person named one.'),
  }),
  remind: z.object({
    at: z.iso.datetime({ offset: true }).optional().describe('When: ISO 8601 with a zone, within a year.'),
    in_minutes: z.int().min(1).max(527_040).optional().describe('In how many minutes, instead of at.'),
    message_id: z
      .uuid()
      .optional()
      .describe('The message of which to remind, as search_messages returns it; otherwise the one that is answered.'),
  }),
  ask: z.object({
    question: z.string().trim().min(1).max(2_000).describe('What you want to know, in the language of the person.'),
    options: z
      .array(
        z
          .string()
          .trim()
          .min(1)
          .max(80)
          .regex(/^[^\p{Cc}]*$/u),
      )
      .min(1)
      .max(7)
      .optional()
      .describe('The answers to choose from, beside declining; without them the person writes one.'),
    who: z.enum(['asker', 'anyone']).optional().describe('Who may answer: the person who asked you, or anyone here.'),
  }),
  remember: z.object({
    text: z
      .string()
      .trim()
      .min(1)
      .max(limits.noteBytes)
      .refine((text) => text.isWellFormed() && !text.includes('\0'), 'contains what is no text')
      .refine((text) => Buffer.byteLength(text) <= limits.noteBytes, `is longer than ${limits.noteBytes} bytes`)
      .describe('What is to be remembered, so that it can be understood alone, in the language of the conversation.'),
  }),
  forget: z.object({ note_id: z.uuid().describe('The note_id of the note, as you were given it.') }),
  search_my_conversations: z.object({
    query: z
      .string()
      .max(256)
      .describe('Words that a message contains, all of them, in any order. A part in quotation marks matches exactly.'),
    before: z.uuid().optional().describe('Only messages older than the one with this id: for the next page.'),
  }),
  search_library: z.object({
    query: z
      .string()
      .max(256)
      .describe('What you look for, in a few words that the sources may have, in their language.'),
    page: z.int().min(1).max(20).optional().describe('Further passages for the same query: 2 for the next ones.'),
  }),
  draw_picture: z.object({
    prompt: z.string().trim().min(1).max(4_000).describe('What the picture shows, and in which style.'),
    size: z
      .string()
      .regex(/^[1-9]\d{1,3}x[1-9]\d{1,3}$/)
      .optional()
      .describe('Width and height in pixels, such as 1024x1024, 1536x1024 or 1024x1536; otherwise the usual one.'),
  }),
  run_code: z.object({
    code: z
      .string()
      .min(1)
      .max(codeLimits.codeLength)
      .refine((code) => code.isWellFormed() && !code.includes('\0'), 'contains what is no text')
      .describe('JavaScript: the body of an async function.'),
    files: z
      .array(z.string().min(1).max(1_000))
      .max(codeLimits.filesRead)
      .optional()
      .describe('The names of files of this conversation that the code reads, as they stand there.'),
  }),
} as const;

type Name = keyof typeof toolArguments;

/** The arguments of a call; a Misuse says what does not fit. */
export function argumentsOf<Tool extends Name>(tool: Tool, { call }: Pick<SentCall, 'call'>) {
  const parsed = toolArguments[tool].safeParse(JSON.parse(call.arguments));
  if (parsed.success) return parsed.data as z.output<(typeof toolArguments)[Tool]>; // parsed by that schema
  const [issue] = parsed.error.issues;
  throw new Misuse(`The arguments do not fit: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}
