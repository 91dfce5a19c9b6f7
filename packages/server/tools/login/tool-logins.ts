import { createHash } from 'node:crypto';
import { dateAfter, hasCome } from '@parley/protocol/dates';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import { type Clock, pause } from '../../core/clock.ts';
import { type KeyRing, toolBinding, toolLoginBinding } from '../../secrets/seal.ts';
import type { Sql } from '../../store/sql.ts';
import { toolCredentialOf, type ToolCredentialRow, toolLoginOf, toolServerByKey } from '../../store/tool-servers.ts';
import { ToolFault } from '../tool-fault.ts';
import type { toolLoginUnits } from './login-units.ts';
import type { Issuer, OauthClient, Tokens } from './oauth-client.ts';

interface Needs {
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  units: UnitCallers<ReturnType<typeof toolLoginUnits>>;
  client: OauthClient;
}

/** How long a person may take to sign in. */
export const LOGIN_MS = 10 * 60_000;
/** Tokens are refreshed this long before they expire. */
const EARLY_MS = 60_000;
/** How often, and how long, a node looks whether another one has refreshed the tokens. */
const LOOK_MS = 200;
const WAIT_MS = 15_000;
/** Maximum UTF-16 code units of the scopes that a server may want of a login. */
const MAX_SCOPE = 1_000;

/** A login that has begun, as it is stored. */
interface Begun {
  codeVerifier: string;
  issuer: Issuer;
  origin: string;
}

export const hashOfState = (state: string): Buffer => createHash('sha256').update(state).digest();

/** Logins to servers of tools by OAuth: begun, completed, and their tokens kept fresh. */
export class ToolLogins {
  readonly client: OauthClient;
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.client = needs.client;
  }

  /** Begins a login of an account for a server: where the person signs in, and what to store until they come back. */
  async begin(
    server: { key: number; url: string },
    accountKey: number,
    state: string,
    signal: AbortSignal,
  ): Promise<{ url: string; sealed: string }> {
    const { origin } = new URL(server.url);
    const row = await this.#needs.read.get(toolCredentialOf, server.key, accountKey);
    const former = row?.origin === origin ? this.#open(row) : undefined;
    const { url, codeVerifier, issuer } = await this.client.begin(server.url, state, former, signal);
    const begun: Begun = { codeVerifier, issuer, origin };
    return { url, sealed: this.#needs.keys.seal(JSON.stringify(begun), toolLoginBinding(hashOfState(state))) };
  }

  /** For whom a login is, before it is completed; undefined if it is unknown or has expired. */
  async pending(state: string) {
    const login = await this.#needs.read.get(toolLoginOf, hashOfState(state));
    if (!login || login.sealed === '' || hasCome(login.expires_at, this.#needs.clock.now())) return undefined;
    const server = await this.#needs.read.get(toolServerByKey, login.server_key);
    return server && { server, accountKey: login.account_key };
  }

  /** Completes a login with what its person brought back. False if it is unknown, expired, or completed already. */
  async finish(state: string, code: string, iss: string | undefined, signal: AbortSignal): Promise<boolean> {
    const { read, keys, clock, units } = this.#needs;
    const hash = hashOfState(state);
    const login = await read.get(toolLoginOf, hash);
    if (!login || login.sealed === '' || hasCome(login.expires_at, clock.now())) return false;
    // Before it is redeemed: a code that comes twice ends everything that it gave (RFC 6749, 4.1.2).
    if (!(await units.claimToolLogin({ state: hash.toString('hex') }))) return false;
    const begun = JSON.parse(keys.open(login.sealed, toolLoginBinding(hash))) as Begun; // as `begin` stored it
    const { codeVerifier, issuer, origin } = begun;
    const tokens = await this.client.redeem(issuer, { code, iss, codeVerifier }, clock.now(), signal);
    const binding = toolBinding(login.server_key, login.account_key, origin);
    const sealed = keys.seal(JSON.stringify(tokens), binding);
    return units.endToolLogin({ state: hash.toString('hex'), origin, sealed });
  }

  /**
   * The access token of a stored login, fresh. `refused`: a token that the server no longer accepts. Undefined if the
   * login has ended. Rejects with a ToolFault if no fresh one can be had now.
   */
  async tokenOf(row: ToolCredentialRow, refused: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    const { clock, units } = this.#needs;
    const tokens = this.#open(row);
    if (tokens.access !== refused && !hasCome(tokens.expiresAt ?? Infinity, dateAfter(clock.now(), EARLY_MS)))
      return tokens.access;
    const place = { serverKey: row.server_key, accountKey: row.account_key, former: row.sealed };
    if (!(await units.claimToolRefresh(place))) return this.#afterOthers(row, signal);
    const fresh = await this.client.refresh(tokens, clock.now(), signal).catch(async (error: unknown) => {
      // The next call tries again.
      await units.endToolRefresh({ ...place, sealed: row.sealed });
      throw error;
    });
    const kept = fresh && { ...fresh, ...(tokens.wanted !== undefined && { wanted: tokens.wanted }) };
    const sealed = kept ? this.#needs.keys.seal(JSON.stringify(kept), bindingOf(row)) : null;
    await units.endToolRefresh({ ...place, sealed });
    return fresh?.access;
  }

  /**
   * Notes scopes that a server wants of a stored login, for the next one to ask for, beside those noted before. False if
   * they are unknown, or were asked for already: another login would change nothing.
   */
  async want(serverKey: number, accountKey: number, scope: string | undefined, signal: AbortSignal): Promise<boolean> {
    const { clock, read, keys, units } = this.#needs;
    const named = scopesOf(scope?.slice(0, MAX_SCOPE));
    for (let waited = 0; ; waited += LOOK_MS) {
      const row = await read.get(toolCredentialOf, serverKey, accountKey);
      if (!row) return true;
      const tokens = this.#open(row);
      const asked = scopesOf(tokens.issuer.scope);
      const noted = scopesOf(tokens.wanted);
      const missing = named.filter((one) => !asked.includes(one));
      if (missing.length === 0) return false;
      if (missing.every((one) => noted.includes(one))) return true;
      const both = [...new Set([...noted, ...missing])].join(' ');
      const wanted = both.length > MAX_SCOPE ? missing.join(' ') : both;
      const place = { serverKey, accountKey, former: row.sealed };
      // Not while fresh tokens are asked for, which would be lost.
      if (await units.claimToolRefresh(place)) {
        const sealed = keys.seal(JSON.stringify({ ...tokens, wanted }), bindingOf(row));
        await units.endToolRefresh({ ...place, sealed });
        return true;
      }
      if (waited >= WAIT_MS || signal.aborted) return true;
      await pause(clock, LOOK_MS, signal).catch(() => {}); // stopped: seen after one more try
    }
  }

  /** Tells the server that a login, which is no longer stored, has ended. */
  async revoke(row: ToolCredentialRow, signal: AbortSignal): Promise<void> {
    await this.client.revoke(this.#open(row), signal);
  }

  /** Waits for the node that refreshes the tokens. */
  async #afterOthers(row: ToolCredentialRow, signal: AbortSignal): Promise<string | undefined> {
    const { clock, read } = this.#needs;
    for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
      const now = await read.get(toolCredentialOf, row.server_key, row.account_key);
      if (!now) return undefined;
      if (now.sealed !== row.sealed) return this.#open(now).access;
      await pause(clock, LOOK_MS, signal);
    }
    throw new ToolFault('timeout', 'its sign-in takes too long');
  }

  #open(row: ToolCredentialRow): Tokens {
    return JSON.parse(this.#needs.keys.open(row.sealed, bindingOf(row))) as Tokens; // as `finish` stored them
  }
}

const scopesOf = (scope: string | undefined): string[] => (scope ?? '').split(' ').filter((one) => one !== '');

const bindingOf = ({ server_key, account_key, origin }: ToolCredentialRow): string =>
  toolBinding(server_key, account_key, origin);
