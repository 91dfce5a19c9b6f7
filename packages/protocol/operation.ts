// The wire as data, without I/O; everything else imports it. One declaration per operation yields the HTTP route, the
// socket methods, validation, the TypeScript types, the typed client and the OpenAPI page, and says who may call it.
import type { z } from 'zod';
import type { TokenScope } from './access-scopes.ts';
import type { AccountRole } from './account-roles.ts';
import type { ErrorCode } from './errors.ts';

/** A dotted socket method of the interface, which takes internal field names. */
export interface LegacyMethod {
  name: string;
  /** Internal name → the operation's own name. */
  rename?: Readonly<Record<string, string>>;
  /** Fields with a fixed value, e.g. `remove: true` for `reactions.remove`. */
  fixed?: Readonly<Record<string, unknown>>;
}

/** What a call counts towards (LIMIT-1, LIMIT-2). Rates are per owner, a human with its bots, unless it says otherwise. */
export type RateClass =
  /** Reads are not counted. */
  | 'none'
  /** Continues a call that was counted, such as an open stream: not counted. */
  | 'continuations'
  /** Posts messages: the rate of messages. */
  | 'messages'
  /** Writes, or reaches other accounts: the rate of writes. */
  | 'writes'
  /** As `writes`, but per account: a bot, or the thief of its token, cannot use up the calls that revoke access. */
  | 'endsAccess'
  /** As `writes`, and towards a stricter rate of their own. */
  | 'uploads'
  | 'profiles'
  | 'models'
  /** As `writes`, and towards the rates of invites per owner and per address. */
  | 'joins'
  /** Reads an invite: the rate of invites per address. */
  | 'inviteReads'
  /** Sent while a person types: a rate of their own. */
  | 'previews'
  /** Counted per address, together with password checks. */
  | 'signUps'
  /** Checks a password, and is counted when it does so (AUTH-19), not before. */
  | 'passwordChecks'
  /** Counted per key of a backend. */
  | 'userTokens'
  /** The same rate per address. */
  | 'tokenExchanges';

/** Who may call an operation, and how often: what is checked before its handler runs. */
export interface OperationPolicy {
  /** The scope with which an access token may call it (ACCESS-6); null: no access token may. It has no default. */
  scope: TokenScope | null;
  /** Fields that an access token may not give, because they hold secrets (ACCESS-7). */
  notByToken?: readonly string[];
  rate: RateClass;
  /** A limited session may call it (TOKEN-6). Absent: it may not. */
  limitedSessions?: true;
  /**
   * Whether guests may call it (ROLE-2). Absent: they may call what limited sessions may, so that a new operation is
   * closed to them until it says otherwise.
   */
  guests?: boolean;
  /** The least role in the service that may call it (ROLE-2). Absent: every member may. */
  role?: 'moderator' | 'admin' | 'owner';
  /** An account that waits for approval may call it (ENTER-6). Absent: it may not. */
  pending?: true;
  /** Somebody who lacks the second factor that the service requires may call it (FACTOR-6). Absent: only what `pending` admits. */
  withoutFactor?: true;
  /** Can be called without a token. Absent: it needs one. */
  open?: true;
}

/** The least role that may call an operation (ROLE-2). */
export const leastRole = ({ role, open, guests, limitedSessions }: OperationPolicy): AccountRole =>
  role ?? ((open ?? guests ?? limitedSessions) ? 'guest' : 'member');

export interface Operation<Input extends z.ZodType = z.ZodType, Result extends z.ZodType | null = z.ZodType | null> {
  summary: string;
  policy: OperationPolicy;
  input: Input;
  /** null: the operation returns nothing and answers `{ ok: true }`. */
  result: Result;
  /**
   * Errors in addition to those of every operation: invalid_argument, unauthenticated, rate_limited, unavailable,
   * internal, and the forbidden of callers whose role or session is not enough.
   */
  errors: readonly ErrorCode[];
  /** The field `file` is a part of `multipart/form-data`, so the operation works over HTTP only. */
  upload?: true;
  /** The feature level that the declaration has raised (VERSION-1); those before 13 are not recorded. */
  since?: number;
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
