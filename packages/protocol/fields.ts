import { emojiForm, isEmoji } from './emoji-form.ts';
import { z } from 'zod';
import { fits } from './byte-length.ts';
import { limits } from './limits.ts';

/** Marks a violated maximum that answers 413 instead of 400; the transport looks for this text (ERR-4). */
export const TOO_LARGE = 'too large';

/** For the published schemas: JSON Schema counts characters, and a text never has more characters than bytes. */
const bytes = (max: number) => ({ maxLength: max, 'x-max-bytes': max });

/** Lone surrogates have no UTF-8 form, and PostgreSQL cannot store NUL. */
const isPlain = (value: string): boolean => value.isWellFormed() && !value.includes('\0');
const plain = { message: 'contains an unpaired surrogate or a NUL character' };

/** Text bounded in bytes; longer is 413. */
export const text = (maxBytes: number) =>
  z
    .string()
    .refine(isPlain, plain)
    .refine((value) => fits(value, maxBytes), { message: TOO_LARGE, params: { maxBytes } })
    .meta(bytes(maxBytes));

/** Short text (names, titles, client ids); out of bounds is 400. */
export const label = (maxBytes: number, minBytes = 1) =>
  z
    .string()
    .refine(isPlain, plain)
    .refine((value) => value.length >= minBytes, { message: 'is empty' })
    .refine((value) => fits(value, maxBytes), { message: `is longer than ${maxBytes} bytes` })
    .meta({ ...bytes(maxBytes), ...(minBytes > 0 && { minLength: minBytes }) });

/** At most this many bytes, as base64 with padding. */
export const base64 = (maxBytes: number) =>
  z
    .string()
    .max(Math.ceil(maxBytes / 3) * 4)
    .regex(/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/, 'is not base64')
    .refine((value) => (value.length / 4) * 3 - (/(?<!=)=+$/.exec(value)?.[0].length ?? 0) <= maxBytes, {
      message: `is longer than ${maxBytes} bytes`,
    });

/** No control characters, line and paragraph separators, nor bidirectional control characters, as every engine reads it. */
const ONE_LINE = String.raw`^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$`;
const isOneLine = new RegExp(ONE_LINE);
/** Text with nothing visible: spaces, invisible characters, and U+2800, the empty Braille cell. */
const looksBlank = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Short text that an app shows on one line next to its own words (ACCT-10). */
export const line = (maxBytes: number, minBytes = 1) =>
  label(maxBytes, minBytes)
    .refine((value) => isOneLine.test(value), {
      message: 'contains a line break, a control character or a text direction mark',
    })
    .meta({ pattern: ONE_LINE });

const emojiNamePattern = /^[a-z0-9_]{2,32}$/;
/** The name of a custom emoji. */
export const emojiName = () =>
  z.string().regex(emojiNamePattern, 'must be 2 to 32 of a-z, 0-9 and _').describe('what stands between the colons');

/** A secret for signatures, in the form of Standard Webhooks: 24 to 64 bytes as base64. */
export const webhookSecret = () =>
  z
    .string()
    .regex(/^whsec_[A-Za-z\d+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes as base64')
    .refine((value) => value.length % 4 === 2, 'must be whsec_ and base64 with padding');

/** One emoji, or `:name:` of a custom one. Of the first, with or without the character that asks for its coloured form. */
export const oneEmoji = () =>
  label(limits.emojiBytes).refine(isEmojiOrName, { message: 'is not one emoji' }).transform(emojiForm);

function isEmojiOrName(value: string): boolean {
  if (value.length > 2 && value.startsWith(':') && value.endsWith(':'))
    return emojiNamePattern.test(value.slice(1, -1));
  return isEmoji(value);
}

/** A `line` that may be left empty: text in which nothing is visible counts as empty. */
export const optionalLine = (maxCharacters: number) =>
  line(4 * maxCharacters, 0)
    .refine((value) => Array.from(value).length <= maxCharacters, `is longer than ${maxCharacters} characters`)
    .transform((value) => (looksBlank.test(value) ? '' : value.trim()));

/** A `line` that names a person or a thing: at least one character is visible. */
export const name = (maxBytes: number) => line(maxBytes).refine((value) => !looksBlank.test(value), 'is blank');

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const uuid = () =>
  z
    .string()
    .regex(uuidPattern, 'is not a UUID')
    .meta({ format: 'uuid' })
    .transform((value) => value.toLowerCase());
export const isUuid = (value: string): boolean => uuidPattern.test(value);

/** The schema with the description of another field, which has the same meaning. */
export const like = <Schema extends z.ZodType>({ description = '' }: z.ZodType, schema: Schema): Schema =>
  schema.describe(description);

/** Treats null as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

export const usernamePattern = /^[a-z0-9_]{1,32}$/;
/** The username of a new human. */
export const newUsername = () =>
  z.string().regex(usernamePattern, 'must be 1 to 32 of a-z, 0-9 and _').describe('a name that no other account has');
/** The name of a group of people: like a username, and no account has the same. */
export const userGroupName = () => z.string().regex(usernamePattern, 'must be 1 to 32 of a-z, 0-9 and _');
/** The username of any account. It is not matched against a pattern: a name that cannot exist is simply not found. */
export const username = () => label(limits.nameBytes);

const passwordOf = (min: number) =>
  text(limits.passwordBytes)
    .refine((value) => value.length >= min, { message: `has fewer than ${min} characters` })
    .meta({ minLength: min });
/** A new password for an account. */
export const newPassword = () => passwordOf(8).describe('the password from now on');
/** A password to compare with an account's. */
export const password = () => passwordOf(1).describe("the account's password");
/** A password that is required only if the account has one and the session signed in more than 15 minutes ago. */
export const askedPassword = () =>
  optional(
    password().meta({
      description:
        "the account's password; required (else 403) if it has one and the session signed in more than 15 minutes ago",
    }),
  );

export const modelName = () =>
  z
    .string()
    .trim()
    .min(1)
    .refine((value) => isPlain(value) && fits(value, limits.settingBytes), 'is not a model');

/** At least 1; values above the maximum are cut to it; anything but a safe integer is 400. */
export const limit = (max: number, fallback: number) =>
  optional(
    z
      .number()
      .int()
      .min(1)
      .meta({ default: fallback, description: `values above ${max} are cut to ${max}` }),
  ).transform((value) => Math.min(value ?? fallback, max));

/** Like `limit` but without a default, for an operation that answers differently without one. */
export const limitIfGiven = (max: number) =>
  optional(
    z
      .number()
      .int()
      .min(1)
      .meta({ description: `values above ${max} are cut to ${max}` }),
  ).transform((value) => (value === undefined ? undefined : Math.min(value, max)));

/** An opaque cursor that this service issued; the operation checks it. */
export const cursor = () => optional(label(512).meta({ description: '`next_cursor` of the previous page' }));

/** Free-form JSON is well-formed and bounded in depth and in the number of values, so later code can walk it safely. */
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
  // `abort` keeps later checks from walking JSON of unbounded depth.
  z.record(z.string(), z.unknown()).refine((value) => isModest(value), { abort: true, ...modest });

/**
 * Bounds an object with arbitrary fields: more than `maxBytes` of JSON is 413. The depth is checked first, because
 * measuring the size recurses; the bytes bound the number of values.
 */
export const boundedJson = <Schema extends z.ZodType<object>>(schema: Schema, maxBytes: number) =>
  schema.superRefine((value, context) => {
    const bad = Object.entries(value).find(([key, item]) => !key.isWellFormed() || !isModest(item, Infinity));
    if (bad) context.addIssue({ code: 'custom', path: [bad[0].toWellFormed()], ...modest });
    else if (!fits(JSON.stringify(value), maxBytes))
      context.addIssue({ code: 'custom', message: TOO_LARGE, params: { maxBytes } });
  });

/** A file in a request as the transport passes it on: a stream that can be read once. */
export class FileBody {
  /** The file name that the client gave. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;

  constructor(name: string, bytes: AsyncIterable<Uint8Array>) {
    this.name = name;
    this.bytes = bytes;
  }
}

/** A file: the client passes a Blob, the handler receives its stream. */
export const file = () =>
  z
    .custom<Blob>((value: unknown) => value instanceof FileBody, {
      message: 'must be a file, sent over HTTP as a part of multipart/form-data',
    })
    .meta({ type: 'string', format: 'binary', description: 'the bytes of the file, with its name' })
    // The check above only lets a FileBody through.
    .transform((value): FileBody => value as unknown as FileBody);

/** A time to come; the operation checks that it is one. */
export const laterTime = () =>
  z.iso.datetime({ offset: true }).meta({ description: 'ISO 8601 with a zone; in the future, at most a year ahead' });
export const isoTime = () => z.string().meta({ format: 'date-time' });
export const unixMs = () => z.number().int().meta({ description: 'milliseconds since the epoch, server clock' });
