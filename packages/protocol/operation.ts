// The wire as data, without I/O; everything else imports it. One declaration per operation yields the HTTP route, the
// socket methods, validation, the TypeScript types, the typed client and the OpenAPI page.
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** A dotted socket method of the interface, which takes internal field names. */
export interface LegacyMethod {
  name: string;
  /** Internal name → the operation's own name. */
  rename?: Readonly<Record<string, string>>;
  /** Fields with a fixed value, e.g. `remove: true` for `reactions.remove`. */
  fixed?: Readonly<Record<string, unknown>>;
}

export interface Operation<Input extends z.ZodType = z.ZodType, Result extends z.ZodType | null = z.ZodType | null> {
  summary: string;
  input: Input;
  /** null: the operation returns nothing and answers `{ ok: true }`. */
  result: Result;
  /**
   * Errors in addition to those of every operation: invalid_argument, unauthenticated, rate_limited, unavailable,
   * internal.
   */
  errors: readonly ErrorCode[];
  /** Can be called without a token. */
  open?: true;
  /** The field `file` is a part of `multipart/form-data`, so the operation works over HTTP only. */
  upload?: true;
  methods?: readonly LegacyMethod[];
}

export const operation = <Input extends z.ZodType, Result extends z.ZodType | null>(
  declaration: Operation<Input, Result>,
): Operation<Input, Result> => declaration;

/** Field names of the dotted methods and the operations' names for them. */
export const internalNames = {
  conversation_id: 'chat_id',
  content: 'text',
  reply_to_id: 'reply_to_message_id',
} as const;
