import { z } from 'zod';
import { boundedJson, label, optional, text } from './fields.ts';
import { limits } from './limits.ts';

// What a reply consists of beside its text: what the model thought, the tools that it used, where it read something.

export const toolStatus = z.enum(['pending', 'needs_approval', 'running', 'done', 'failed', 'denied', 'unknown']);
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
const duration_ms = durationMs().optional();
const reasoning = { type: z.literal('reasoning'), text: z.string(), duration_ms };
const tool = {
  type: z.literal('tool'),
  name: z.string(),
  title: z.string().optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  status: toolStatus,
  error: z.string().optional(),
  duration_ms,
};
const source = {
  type: z.literal('source'),
  url: z.string(),
  title: z.string().optional(),
  excerpt: z.string().optional(),
};
const progress = {
  type: z.literal('progress'),
  text: z.string(),
  done: z.number().optional(),
  total: z.number().optional(),
};
const notice = { type: z.literal('notice'), text: z.string() };

/** A part of a reply. `input` and `output` of a tool are any JSON. */
export const Part = z.discriminatedUnion('type', [
  z.object({ ...place, ...reasoning }),
  z.object({ ...place, ...tool }),
  z.object({ ...place, ...source }),
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
  append: z.string(),
  text_offset: z.int(),
  duration_ms,
});
export type PartGrowth = z.output<typeof PartGrowth>;

/** What `events.messagePart` carries: a whole part, or more text of one. */
export const PartChange = z.union([Part, PartGrowth]);
export type PartChange = Part | PartGrowth;

/** A part without a place stands where it stood, or, if it is new, at the end of the text so far. */
const inputPlace = { id: id(), offset: optional(offset()) };
const given = { duration_ms: optional(durationMs()) };
const body = () => text(limits.partsBytes);

/** A part as a daemon writes it. Only a tool has JSON of any shape; the texts of all are bounded by themselves. */
export const PartInput = z.discriminatedUnion('type', [
  z
    .object({
      ...inputPlace,
      ...given,
      type: reasoning.type,
      text: optional(body()),
      append: optional(body()),
      text_offset: optional(z.number().int().min(0)),
    })
    .superRefine((part, context) => {
      const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
      if (part.text !== undefined && part.append !== undefined) refuse('append', 'cannot be combined with text');
      else if (part.text === undefined && part.append === undefined) refuse('text', 'or append is required');
      else if (part.append !== undefined && part.text_offset === undefined)
        refuse('text_offset', 'is required with append');
    }),
  boundedJson(
    z.object({
      ...inputPlace,
      ...given,
      type: tool.type,
      name: label(limits.nameBytes),
      title: optional(line()),
      input: z.unknown().optional(),
      output: z.unknown().optional(),
      status: toolStatus,
      error: optional(line()),
    }),
    limits.partsBytes,
  ),
  z.object({ ...inputPlace, type: source.type, url: url(), title: optional(line()), excerpt: optional(line()) }),
  z.object({
    ...inputPlace,
    type: progress.type,
    text: line(),
    done: optional(amount()),
    total: optional(amount()),
  }),
  z.object({ ...inputPlace, type: notice.type, text: label(limits.partLineBytes) }),
]);
export type PartInput = z.output<typeof PartInput>;
