import { z } from 'zod';
import { limits } from './limits.ts';

const encoder = new TextEncoder();

/** UTF-8 length in bytes, without encoding text that is short enough in any case. */
export const byteLength = (text: string): number => encoder.encode(text).length;

/** True when `text` has at most `max` bytes of UTF-8. */
export const fits = (text: string, max: number): boolean =>
  text.length * 3 <= max || (text.length <= max && byteLength(text) <= max);

/** A violated maximum that answers 413 instead of 400: the transport looks for this marker (ERR-4). */
export const TOO_LARGE = 'too large';

/** For the published schemas, which count characters: no text has fewer bytes than those. */
const bytes = (max: number) => ({ maxLength: max, 'x-max-bytes': max });

/** Lone surrogates have no UTF-8 form, and NUL is what not every store keeps. */
const isPlain = (value: string): boolean => value.isWellFormed() && !value.includes('\0');
const plain = { message: 'holds half a surrogate pair or a NUL character' };

/** Text bounded in bytes; longer is 413. */
export const text = (maxBytes: number) =>
  z
    .string()
    .refine(isPlain, plain)
    .refine((value) => fits(value, maxBytes), { message: TOO_LARGE, params: { maxBytes } })
    .meta(bytes(maxBytes));

/** Short text (names, titles, ids of clients); out of bounds is 400. */
export const label = (maxBytes: number, minBytes = 1) =>
  z
    .string()
    .refine(isPlain, plain)
    .refine((value) => value.length >= minBytes, { message: 'is empty' })
    .refine((value) => fits(value, maxBytes), { message: `is longer than ${maxBytes} bytes` })
    .meta({ ...bytes(maxBytes), ...(minBytes > 0 && { minLength: minBytes }) });

/** Control characters, line and paragraph separators, and the marks that reverse or isolate what follows them. */
const breaksLine = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** Nothing that is seen: spaces, invisible characters, and U+2800, a Braille cell without dots. */
const looksBlank = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A short text that an app shows on one line, beside its own words (ACCT-10). */
export const line = (maxBytes: number, minBytes = 1) =>
  label(maxBytes, minBytes).refine((value) => !breaksLine.test(value), {
    message: 'holds a line break, a control character or a mark that turns the direction of text',
  });

/** A `line` by which people know somebody or something: some of it is visible. */
export const name = (maxBytes: number) => line(maxBytes).refine((value) => !looksBlank.test(value), 'is blank');

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const uuid = () =>
  z
    .string()
    .regex(uuidPattern, 'is not a UUID')
    .meta({ format: 'uuid' })
    .transform((value) => value.toLowerCase());
export const isUuid = (value: string): boolean => uuidPattern.test(value);

/** Absent and null mean the same. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

export const usernamePattern = /^[a-z0-9_]{1,32}$/;
/** A human's name; `[a-z0-9_]{1,32}`. */
export const newUsername = () => z.string().regex(usernamePattern, 'must be 1 to 32 of a-z, 0-9 and _');
/** Any account's name: one that cannot exist is simply not found. */
export const username = () => label(limits.nameBytes);

const passwordOf = (min: number) =>
  text(limits.passwordBytes)
    .refine((value) => value.length >= min, { message: `has fewer than ${min} characters` })
    .meta({ minLength: min });
/** One that is given to an account. */
export const newPassword = () => passwordOf(8);
/** One that is compared with an account's. */
export const password = () => passwordOf(1);
/** One that is asked for only where the account has a password and the session signed in more than 15 minutes ago. */
export const askedPassword = () =>
  optional(
    password().meta({
      description:
        "the account's password, needed where it has one and the session signed in more than 15 minutes ago: 403 without it",
    }),
  );

/** At least 1; more than the maximum is cut to it; a number that is no safe integer is 400. */
export const limit = (max: number, fallback: number) =>
  optional(
    z
      .number()
      .int()
      .min(1)
      .meta({ default: fallback, description: `more than ${max} is cut to it` }),
  ).transform((value) => Math.min(value ?? fallback, max));

/** As `limit`, for an operation that answers a caller without one in another way: there is no default. */
export const limitIfGiven = (max: number) =>
  optional(
    z
      .number()
      .int()
      .min(1)
      .meta({ description: `more than ${max} is cut to it` }),
  ).transform((value) => (value === undefined ? undefined : Math.min(value, max)));

/** An opaque cursor of ours; checked where it is read. */
export const cursor = () => optional(label(512).meta({ description: '`next_cursor` of the page before' }));

/** Free-form JSON is well-formed, and bounded in depth and in number: whoever passes it on can rely on that. */
function isModest(value: unknown, mostValues: number = limits.structuredValues): boolean {
  let left = mostValues;
  const fitsWithin = (part: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof part === 'string') return part.isWellFormed();
    if (typeof part !== 'object' || part === null) return true;
    if (depth === 0) return false;
    if (Array.isArray(part)) return part.every((item) => fitsWithin(item, depth - 1));
    return Object.entries(part).every(([key, item]) => key.isWellFormed() && fitsWithin(item, depth - 1));
  };
  return fitsWithin(value, limits.structuredDepth);
}
const modest = {
  message: `is nested deeper than ${limits.structuredDepth} levels, has more than ${limits.structuredValues} values or is not well-formed Unicode`,
};

/** Free-form JSON of bounded size. */
export const structuredObject = () =>
  // What goes on to look into it must not meet any depth.
  z.record(z.string(), z.unknown()).refine((value) => isModest(value), { abort: true, ...modest });

/**
 * Bounds an object with fields of any name: more than `maxBytes` of JSON is 413. Its depth is checked first, as
 * measuring walks through it; the number of its values is bounded by the bytes.
 */
export const boundedJson = <Schema extends z.ZodType<object>>(schema: Schema, maxBytes: number) =>
  schema.superRefine((value, context) => {
    const bad = Object.entries(value).find(([key, item]) => !key.isWellFormed() || !isModest(item, Infinity));
    if (bad) context.addIssue({ code: 'custom', path: [bad[0].toWellFormed()], ...modest });
    else if (!fits(JSON.stringify(value), maxBytes))
      context.addIssue({ code: 'custom', message: TOO_LARGE, params: { maxBytes } });
  });

/** A file in a request as the transport hands it over: a stream that is read once. */
export class FileBody {
  /** As the client calls it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;

  constructor(name: string, bytes: AsyncIterable<Uint8Array>) {
    this.name = name;
    this.bytes = bytes;
  }
}

/** A file: a client gives a Blob, a handler gets its stream. */
export const file = () =>
  z
    .custom<Blob>((value: unknown) => value instanceof FileBody, {
      message: 'is a file, sent over HTTP as a part of multipart/form-data',
    })
    .meta({ type: 'string', format: 'binary' })
    // Checked above: nothing else comes from outside.
    .transform((value): FileBody => value as unknown as FileBody);

export const isoTime = () => z.string().meta({ format: 'date-time', description: 'ISO 8601' });
export const unixMs = () => z.number().int().meta({ description: 'milliseconds since the epoch, server clock' });
