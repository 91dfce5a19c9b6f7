import { z } from 'zod';
import { withoutCombinations } from './combinations.ts';
import { boundedJson, label, like, optional, text } from './fields.ts';
import { limits } from './limits.ts';
import { PartCause } from './part-causes.ts';

// What a reply consists of beside its text: what the model thought, the tools that it used, where it read something.

export const toolStatus = z
  .enum(['pending', 'needs_approval', 'running', 'done', 'failed', 'denied', 'unknown', 'expired'])
  .describe(
    '`needs_approval`: a person must allow it first; `denied`: a person did not; `expired`: nobody decided in time',
  );
export type ToolStatus = z.output<typeof toolStatus>;

/** A web address that a reader may open. */
export const isWebUrl = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

const id = () => label(limits.partIdBytes).meta({ description: 'unique in the message, chosen by its writer' });
const offset = () =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description: 'where in the bytes of the content the part stands; beyond them: the end' });
const durationMs = () => z.number().int().min(0);
const url = () => label(limits.partUrlBytes).refine(isWebUrl, 'is not an http or https address');
const amount = () => z.number().min(0);
const line = () => label(limits.partLineBytes, 0);

const place = { id: id(), offset: offset() };
const duration_ms = durationMs().optional().describe('how long it took, in milliseconds; absent while it runs');
const reasoning = {
  type: z.literal('reasoning').describe('what the model thought before it answered'),
  text: z.string().describe('the thoughts, as Markdown'),
  duration_ms,
};
const tool = {
  type: z.literal('tool').describe('a tool that the agent used'),
  name: z.string().describe("the tool's name, as the model knows it"),
  title: z.string().optional().describe('what the tool does, for people'),
  input: z.unknown().optional().describe('what the tool was called with, any JSON'),
  output: z.unknown().optional().describe('what the tool returned, any JSON'),
  status: toolStatus,
  error: z.string().optional().describe('why the call failed'),
  call_id: z.string().optional().describe('of a tool of an agent that the service runs: the call'),
  shared: z
    .literal(true)
    .optional()
    .describe(
      'everybody may see `input` and `output` of the call; otherwise only its asker gets them, and in no event',
    ),
  left_out: z
    .literal(true)
    .optional()
    .describe(
      '`input` and `output` are left out of this answer, which would be too large: getMessages of this message alone has them',
    ),
  duration_ms,
};
const source = {
  type: z.literal('source').describe('something that the agent read'),
  url: z.string().describe('its address'),
  title: z.string().optional().describe('its title'),
  excerpt: z.string().optional().describe('the passage that the reply relies on'),
};
const cause = PartCause.optional().meta({
  description: 'if the service itself wrote it: the same as data, so that apps can word it in their reader’s language',
});
const citation = {
  type: z.literal('citation').describe("a passage of the agent's library that it was given for the reply"),
  number: z.int().describe('how the text of the reply cites it: `[1]` for 1'),
  source_id: z.uuid().describe('the source, as getAgentSources names it while it is in the library'),
  agent: z.string().describe('the agent whose library it is from'),
  title: z.string().describe('what the source was called'),
  page: z.int().optional().describe('the page of a document on which the passage stands'),
  heading: z.string().optional().describe('the heading below which the passage stands'),
};
const progress = {
  type: z.literal('progress').describe('what the agent is doing'),
  text: z.string().describe('what it is doing, in a line'),
  done: z.number().optional().describe('how much is done, in the unit of `total`'),
  total: z.number().optional().describe('how much there is to do; absent if that is not known'),
  cause,
};
const notice = {
  type: z.literal('notice').describe('a remark of the service or the bot about the reply'),
  text: z.string().describe('the remark'),
  cause,
};

/** A part of a reply. `input` and `output` of a tool are any JSON. */
export const Part = z.discriminatedUnion('type', [
  z.object({ ...place, ...reasoning }),
  z.object({ ...place, ...tool }),
  z.object({ ...place, ...source }),
  z.object({ ...place, ...citation }),
  z.object({ ...place, ...progress }),
  z.object({ ...place, ...notice }),
]);
export type Part = z.output<typeof Part>;
export type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>;

/**
 * More text of a reasoning part: `text_offset` is the length in bytes of its text after `append`. It is the most frequent
 * event of a reply that thinks, so it says nothing else.
 */
export const PartGrowth = z.object({
  id: id(),
  append: z.string().describe('text to add to the part'),
  text_offset: z.int().describe("the length in bytes of the part's text after `append`"),
  duration_ms,
});
export type PartGrowth = z.output<typeof PartGrowth>;

/** What `events.messagePart` carries: a whole part, or more text of one. */
export const PartChange = z.union([Part, PartGrowth]);
export type PartChange = Part | PartGrowth;

/** A part without a place stands where it stood, or, if it is new, at the end of the text so far. */
const inputPlace = { id: id(), offset: optional(offset()) };
const given = { duration_ms: like(duration_ms, optional(durationMs())) };
const body = () => text(limits.partsBytes);

/** A part as a daemon writes it. Only a tool has JSON of any shape; the texts of all are bounded by themselves. */
export const PartInput = z.discriminatedUnion('type', [
  withoutCombinations(
    z.object({
      ...inputPlace,
      ...given,
      type: reasoning.type,
      text: optional(body()).describe('the whole text of the part, instead of `append`'),
      append: optional(body()).describe('text to add to the part, instead of `text`'),
      text_offset: optional(z.number().int().min(0)).describe(
        "with `append`: the length in bytes of the part's text after it",
      ),
    }),
    { when: { text: 'given', append: 'given' }, at: 'append', message: 'cannot be combined with text' },
    { when: { text: 'absent', append: 'absent' }, at: 'text', message: 'or append is required' },
    { when: { append: 'given', text_offset: 'absent' }, at: 'text_offset', message: 'is required with append' },
  ),
  boundedJson(
    z.object({
      ...inputPlace,
      ...given,
      type: tool.type,
      name: like(tool.name, label(limits.nameBytes)),
      title: like(tool.title, optional(line())),
      input: tool.input,
      output: tool.output,
      status: toolStatus,
      error: like(tool.error, optional(line())),
    }),
    limits.partsBytes,
  ),
  z.object({
    ...inputPlace,
    type: source.type,
    url: like(source.url, url()),
    title: like(source.title, optional(line())),
    excerpt: like(source.excerpt, optional(line())),
  }),
  z.object({
    ...inputPlace,
    type: progress.type,
    text: like(progress.text, line()),
    done: like(progress.done, optional(amount())),
    total: like(progress.total, optional(amount())),
  }),
  z.object({ ...inputPlace, type: notice.type, text: like(notice.text, label(limits.partLineBytes)) }),
]);
export type PartInput = z.output<typeof PartInput>;
