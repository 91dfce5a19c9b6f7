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

  /** Begins a login for a server: where the person signs in, and what to store until they come back. */
  async begin(serverUrl: string, state: string, signal: AbortSignal): Promise<{ url: string; sealed: string }> {
    const { url, codeVerifier, issuer } = await this.client.begin(serverUrl, state, signal);
    const begun: Begun = { codeVerifier, issuer, origin: new URL(serverUrl).origin };
    return { url, sealed: this.#needs.keys.seal(JSON.stringify(begun), toolLoginBinding(hashOfState(state))) };
  }

  /** For whom a login is, before it is completed; undefined if it is unknown or has expired. */
  async pending(state: string) {
    const login = await this.#needs.read.get(toolLoginOf, hashOfState(state));
    if (!login || hasCome(login.expires_at, this.#needs.clock.now())) return undefined;
    const server = await this.#needs.read.get(toolServerByKey, login.server_key);
    return server && { server, accountKey: login.account_key };
  }

  /** Completes a login with what its person brought back. False if it is unknown, expired, or completed already. */
  async finish(state: string, code: string, iss: string | undefined, signal: AbortSignal): Promise<boolean> {
    const { read, keys, clock, units } = this.#needs;
    const hash = hashOfState(state);
    const login = await read.get(toolLoginOf, hash);
    if (!login || hasCome(login.expires_at, clock.now())) return false;
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
    const fresh = await this.client.refresh(tokens, clock.now(), signal);
    const sealed = fresh ? this.#needs.keys.seal(JSON.stringify(fresh), bindingOf(row)) : null;
    await units.endToolRefresh({ ...place, sealed });
    return fresh?.access;
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

const bindingOf = ({ server_key, account_key, origin }: ToolCredentialRow): string =>
  toolBinding(server_key, account_key, origin);
