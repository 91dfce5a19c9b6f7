import { hasCome, msSince } from '@parley/protocol/dates';
import type { TokenScope } from '@parley/protocol';
import { tokenHash } from '../secrets/tokens.ts';
import type { AccessGrant, Caller } from '../access/call.ts';
import { assertTakesPart } from './may-call.ts';
import type { Clock } from '../core/clock.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import { hasFactor } from '../people/second-factor.ts';
import { requirementOf } from '../people/service-settings.ts';
import { isFactorRequired } from '../rules/factor-requirement.ts';
import { isReservedName, RESERVED_WORD } from '../rules/reserved-names.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import { accountAndVouchersByName, accountByBotToken, accountBySession, type AccountRow } from '../store/accounts.ts';
import { accessTokenEnd, accountByAccessToken } from '../store/access-tokens.ts';
import { accountJsonOf } from '../rendering/accounts.ts';
import { sessionByKey } from '../store/sessions.ts';
import { issuerOfSession } from '../store/oidc.ts';
import { webhookByToken } from '../store/webhooks.ts';

const devNamePattern = /^[A-Za-z0-9_.-]{1,64}$/;
/** Maximum length of a username. */
const USERNAME_LENGTH = 32;
/** Minimum time between two updates of a session's last use. */
const TOUCH_MS = 60_000;
/** Minimum time between two updates of a session whose only sign of use is a live socket. */
const TOUCH_IDLE_MS = 300_000;

interface AuthenticatorNeeds {
  read: Sql;
  flushed: () => Awaitable<void>;
  accounts: AccountTexts;
  clock: Clock;
  devTokens: boolean;
  makeDevAccount: (username: string) => Promise<number | null>;
  touchSession: (sessionKey: number) => void;
}

/** The account and session of a token. */
interface Known {
  row: AccountRow;
  sessionKey: number | null;
  limitedUntil?: number | undefined;
  grant?: AccessGrant;
  lacksFactor?: boolean;
}

/** Identifies callers by their tokens (AUTH-1 …). */
export class Authenticator {
  readonly #needs: AuthenticatorNeeds;
  #changes = 0;

  constructor(needs: AuthenticatorNeeds) {
    this.#needs = needs;
  }

  /** Number of changes to accounts so far; a result read before a change is out of date, and must be read again. */
  get changes(): number {
    return this.#changes;
  }

  /** Records that an account was disabled or renamed. */
  noteChange(): void {
    this.#changes += 1;
  }

  /** Returns the caller, or throws `unauthenticated`. */
  async authenticate(token: string | undefined): Promise<Caller> {
    return callerOf(await this.#known(token));
  }

  /** Like `authenticate`, but accepts access tokens only (MCPS-2). */
  async authenticateAccessToken(token: string | undefined): Promise<Caller> {
    return this.authenticate(token?.startsWith('at_') ? token : undefined);
  }

  /** Returns the account of a webhook as the caller, or throws `not_found` for a secret that is unknown or has ended. */
  async authenticateWebhook(secret: string): Promise<Caller> {
    const row = await this.#needs.read.get(webhookByToken, tokenHash(secret));
    if (!row || row.disabled_at !== null) throw notFound('webhook');
    return { ...callerOf({ row, sessionKey: null }), isWebhook: true };
  }

  /** For a socket: like `authenticate`, but also returns the caller's Account as JSON, from the same read. */
  async admit(token: string | undefined): Promise<{ caller: Caller; account: string }> {
    const known = await this.#known(token);
    const caller = callerOf(known);
    assertTakesPart(caller);
    await this.#needs.flushed();
    return { caller, account: accountJsonOf(this.#needs.accounts, known.row) };
  }

  /** Records that a session with a live socket is in use (AUTH-6). Returns false if the session has ended. */
  async keepSession(sessionKey: number): Promise<boolean> {
    const { read, clock, touchSession } = this.#needs;
    const session = await read.get(sessionByKey, sessionKey);
    const now = clock.now();
    if (!session || hasCome(session.expires_at, now)) return false;
    if (isOld(session.last_active_at, now, TOUCH_IDLE_MS)) touchSession(sessionKey);
    return true;
  }

  /** Whether an access token still is one: not revoked, not expired (ACCESS-3). */
  async keepToken({ key, expiresAt }: AccessGrant): Promise<boolean> {
    const row = await this.#needs.read.get(accessTokenEnd, key);
    const now = this.#needs.clock.now();
    return row !== undefined && [row.expires_at, expiresAt].every((end) => end === null || !hasCome(end, now));
  }

  /** Records that a session was used until now: its socket has closed (PRESENCE-2). */
  socketClosed(sessionKey: number): void {
    this.#needs.touchSession(sessionKey);
  }

  async #known(token: string | undefined): Promise<Known> {
    const known = token === undefined ? null : await this.#find(token);
    if (!known || known.row.deleted_at !== null || known.row.disabled_at !== null)
      throw new ServiceError('unauthenticated', 'a valid access token is needed');
    return known;
  }

  #find(token: string): Promise<Known | null> | null {
    if (token.startsWith('s_')) return this.#session(token);
    if (token.startsWith('mb_')) return this.#bot(token);
    if (token.startsWith('at_')) return this.#accessToken(token);
    if (token.startsWith('dev:')) return this.#dev(token.slice(4));
    return null;
  }

  async #session(token: string): Promise<Known | null> {
    const { read, clock, touchSession } = this.#needs;
    const row = await read.get(accountBySession, tokenHash(token));
    const now = clock.now();
    if (!row || hasCome(row.expires_at, now)) return null;
    if (isOld(row.last_active_at, now, TOUCH_MS)) touchSession(row.session_key);
    const limitedUntil = row.backend_key === null ? undefined : row.expires_at;
    return { row, sessionKey: row.session_key, limitedUntil, lacksFactor: await this.#lacksFactor(row) };
  }

  /** Whether a person lacks the second factor that the service requires; an issuer sees to its own (FACTOR-6). */
  async #lacksFactor(row: AccountRow & { session_key: number; factor_required: string | null }): Promise<boolean> {
    if (row.password_hash === null || !isFactorRequired(requirementOf(row.factor_required), row.role)) return false;
    const { read } = this.#needs;
    return !(await hasFactor(read, row.key)) && !(await read.get(issuerOfSession, row.session_key));
  }

  async #accessToken(token: string): Promise<Known | null> {
    const row = await this.#needs.read.get(accountByAccessToken, tokenHash(token));
    if (!row) return null;
    // The bearer of a program's grant expires before the grant does.
    const ends = [row.token_expires_at, row.bearer_until].filter((end) => end !== null);
    const expiresAt = ends.length === 0 ? null : Math.min(...ends);
    if (expiresAt !== null && hasCome(expiresAt, this.#needs.clock.now())) return null;
    const grant = {
      key: row.token_key,
      name: row.token_name,
      scopes: row.scopes.split(' ') as TokenScope[], // as createAccessToken has stored them
      chatIds: row.chat_ids === null ? null : (JSON.parse(row.chat_ids) as string[]),
      expiresAt,
    };
    return { row, sessionKey: null, grant };
  }

  async #bot(token: string): Promise<Known | null> {
    const row = await this.#needs.read.get(accountByBotToken, tokenHash(token));
    return row ? { row, sessionKey: null } : null;
  }

  async #dev(name: string): Promise<Known | null> {
    const { read, devTokens, makeDevAccount } = this.#needs;
    if (!devTokens || !devNamePattern.test(name)) return null;
    const username = name.toLowerCase().replaceAll(/[.-]/g, '_').slice(0, USERNAME_LENGTH);
    if (username === RESERVED_WORD) return null;
    let row = await read.get(accountAndVouchersByName, username);
    if (!row) {
      if (isReservedName(username) || (await makeDevAccount(username)) === null) return null;
      row = await read.get(accountAndVouchersByName, username);
    }
    // A development token never opens an account that has another way in.
    if (row?.kind !== 'human' || row.password_hash !== null || row.is_vouched === 1) return null;
    return { row, sessionKey: null };
  }
}

/** Whether a stored use is to be replaced: it is old, or it is yet to come because the clock was set back. */
const isOld = (usedAt: number, now: number, mostMs: number): boolean => Math.abs(msSince(usedAt, now)) >= mostMs;

const callerOf = ({ row, sessionKey, limitedUntil, grant, lacksFactor }: Known): Caller => ({
  key: row.key,
  ownerKey: row.parent_key ?? row.key,
  username: row.username,
  displayName: row.display_name,
  kind: row.kind,
  role: row.role,
  ...(row.pending === 1 && { isPending: true as const }),
  ...(lacksFactor === true && { lacksFactor: true as const }),
  sessionKey,
  ...(limitedUntil !== undefined && { limitedUntil }),
  ...(grant && { grant }),
});
