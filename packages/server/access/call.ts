// access/: who calls, and what a caller may see and do: the `require…` functions return the row or throw 404 or 403.
import type { AccountRole, TokenScope } from '@parley/protocol';
import type { Settings } from '../core/settings.ts';
import type { RenderSource } from '../rendering/account-texts.ts';

/** What an access token allows its bearer (ACCESS-6). */
export interface AccessGrant {
  readonly key: number;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** Ids of the only conversations that exist for the token; null for all. */
  readonly chatIds: readonly string[] | null;
  /** Null for never. */
  readonly expiresAt: number | null;
}

/** The account that makes a call. `sessionKey` is null for tokens without a session (AUTH-4). */
export interface Caller {
  readonly key: number;
  /** The account whose rate limits and quota apply: for an agent its owner, for a human itself. */
  readonly ownerKey: number;
  readonly username: string;
  readonly displayName: string;
  readonly kind: 'human' | 'agent';
  /** The role in the service. An agent is a member, or a guest like its owner: no token of an agent administers (ROLE-3). */
  readonly role: AccountRole;
  /** It waits for approval: until then only the operations that are declared for it are allowed (ENTER-6). */
  readonly isPending?: true;
  /** It has no second factor, which the service requires of it (FACTOR-6). */
  readonly lacksFactor?: true;
  readonly sessionKey: number | null;
  /**
   * When the session ends, if it is that of a backend's user: until then only the operations that are
   * declared for limited sessions are allowed (TOKEN-6).
   */
  readonly limitedUntil?: number;
  /** The access token with which the call is made (ACCESS-1). */
  readonly grant?: AccessGrant;
  /** A post to a webhook: the caller is the webhook's account (WEBHOOK-3). */
  readonly isWebhook?: true;
}

/** What every handler receives. Time is an argument: handlers never read a clock. */
export interface Call extends RenderSource {
  readonly caller: Caller;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly settings: Settings;
}
