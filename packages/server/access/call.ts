// access/: who calls, and what a caller may see and do: the `require…` functions return the row or throw 404 or 403.
import type { Settings } from '../core/settings.ts';
import type { RenderSource } from '../rendering/account-texts.ts';

/** The account that makes a call. `sessionKey` is null for `dev:` and `mb_` tokens (AUTH-4). */
export interface Caller {
  readonly key: number;
  /** The account whose rate limits and quota apply: for an agent its owner, for a human itself. */
  readonly ownerKey: number;
  readonly username: string;
  readonly displayName: string;
  readonly kind: 'human' | 'agent';
  readonly sessionKey: number | null;
  /**
   * When the session ends, if it is that of a backend's user: until then only the operations that are
   * declared for limited sessions are allowed (TOKEN-6).
   */
  readonly limitedUntil?: number;
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
