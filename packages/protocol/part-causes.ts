// What notices and progress of the service itself say, as data: a client words them in its reader's language.
import { z } from 'zod';

/** Why a model did not receive a file (CONTEXT-17). */
export const unreadReasons = [
  'gone',
  'missing',
  'damaged',
  'locked',
  'no_text',
  'too_large',
  'unknown_type',
  'too_many',
  'too_much',
  'too_late',
  'busy',
  'unavailable',
] as const;
export type UnreadReason = (typeof unreadReasons)[number];

const files = {
  names: z.array(z.string()).describe('the names of the first 5 of them, each cut at 60 characters'),
  count: z.int().describe('how many there are'),
};

export const PartCause = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('files_unread').describe('the model did not receive files of the message that it answers'),
    reasons: z
      .array(
        z.object({
          reason: z
            .enum(unreadReasons)
            .describe(
              '`gone`: deleted, or the reader has hidden it; `missing`: the service has lost the content; `damaged`: it cannot be read; `locked`: it has a password; `no_text`; `too_large`; `unknown_type`: agents cannot read its type; `too_many`: above the number that an agent reads at once; `too_much`: too large together; `too_late`: reading took too long; `busy`: too many files are being read; `unavailable`: it cannot be read at the moment',
            ),
          ...files,
        }),
      )
      .describe('the files, by why the model did not receive them'),
  }),
  z.object({
    kind: z.literal('files_refused').describe('the model takes no such files, so it was asked without them'),
    ...files,
  }),
  z.object({
    kind: z.literal('messages_left_out').describe('older messages of the conversation did not fit into the request'),
    sent: z.int().describe('how many of the newest messages the model received'),
    summarized: z.int().optional().describe('how many older ones it received a summary of; absent for none'),
    has_others: z.boolean().describe('whether there are messages of which it received nothing'),
  }),
  z.object({
    kind: z.literal('thinking_refused').describe('the model does not think, as the agent’s settings ask it to'),
  }),
  z.object({
    kind: z.literal('picture_lost').describe('a picture that the model has drawn could not be kept'),
  }),
  z.object({
    kind: z.literal('tools_refused').describe('the model takes no tools, so it was asked without them'),
    names: z.array(z.string()).optional().describe('the names of at most 5 of them, if it takes others'),
    count: z.int().optional().describe('how many these are'),
  }),
  z.object({
    kind: z.literal('search_refused').describe('the model cannot search the web, so it was asked without'),
  }),
  z.object({ kind: z.literal('parts_left_out').describe('later parts of the reply were too long to be kept') }),
  z.object({ kind: z.literal('summarizing').describe('the model is summarizing older messages for the reply') }),
]);

export type PartCause = z.output<typeof PartCause>;
