// The wire as data, no I/O: everything else imports it. One declaration per operation gives the HTTP route,
// the socket methods, validation, the TypeScript types, the typed client and the OpenAPI page.
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** A dotted socket method of the interface, which takes internal field names. */
export interface LegacyMethod {
  name: string;
  /** Internal name → the operation's own name. */
  rename?: Readonly<Record<string, string>>;
  /** Fields that the method fixes, e.g. `remove: true` for `reactions.remove`. */
  fixed?: Readonly<Record<string, unknown>>;
}

export interface Operation<Input extends z.ZodType = z.ZodType, Result extends z.ZodType | null = z.ZodType | null> {
  summary: string;
  input: Input;
  /** null: the operation has nothing to return and answers `{ ok: true }`. */
  result: Result;
  /** Errors beside those that every operation may give (invalid_argument, unauthenticated, rate_limited, unavailable, internal). */
  errors: readonly ErrorCode[];
  /** Answers callers without a token. */
  open?: true;
  /** Its field `file` comes as a part of `multipart/form-data`: HTTP alone can carry it. */
  upload?: true;
  methods?: readonly LegacyMethod[];
}

export const operation = <Input extends z.ZodType, Result extends z.ZodType | null>(
  declaration: Operation<Input, Result>,
): Operation<Input, Result> => declaration;

/** The names that dotted methods use inside, and what the operations call them. */
export const internalNames = {
  conversation_id: 'chat_id',
  content: 'text',
  reply_to_id: 'reply_to_message_id',
} as const;
