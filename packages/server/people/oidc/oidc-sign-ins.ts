import { randomBytes } from 'node:crypto';
import { dateAfter, dateBefore } from '@parley/protocol/dates';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import type { Clock } from '../../core/clock.ts';
import { type KeyRing, oidcBinding, oidcLoginBinding } from '../../secrets/seal.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';
import { dueOidcSessions, type OidcSessionRow, unconfirmedSessions } from '../../store/oidc.ts';
import type { Sql } from '../../store/sql.ts';
import { IssuerAway, IssuerClient, IssuerRefuses } from './issuer-client.ts';
import { type GivenRole, type OidcIssuer, roleOfGroups } from './oidc-config.ts';
import { type oidcUnits, REFRESH_MS, UNCONFIRMED_MS } from './sign-in-units.ts';

/** What is needed when the person comes back from the issuer; sealed in the store. */
interface Begun {
  issuerId: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
  next: string;
  invite: string | null;
}

export interface OidcNeeds {
  clock: Clock;
  keys: KeyRing;
  read: Sql;
  units: UnitCallers<typeof oidcUnits>;
  logger: { warn(facts: object, message: string): void };
}

/** The sign-in has expired, was completed already, or was begun in another browser. */
export class NoSuchSignIn extends Error {}

/** Sessions that are refreshed at once, of one issuer. */
const AT_ONCE = 32;
/** How far the clocks of nodes may be apart. */
const APART_MS = 30_000;
/** How long an issuer that is away is left alone. */
const LEFT_ALONE_MS = 20_000;

const random = (): string => randomBytes(32).toString('base64url');
const hex = (token: string): string => Buffer.from(tokenHash(token)).toString('hex');
const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim !== '' ? claim : null);

/** Sign-ins at OpenID Connect issuers, and the sessions that came of them. */
export class OidcSignIns {
  readonly #needs: OidcNeeds;
  readonly #clients: ReadonlyMap<string, IssuerClient>;
  /** By issuer, on the monotonic clock. */
  readonly #leftAloneUntil = new Map<string, number>();
  #isStopped = false;

  constructor(issuers: readonly OidcIssuer[], needs: OidcNeeds) {
    this.#needs = needs;
    this.#clients = new Map(issuers.map((issuer) => [issuer.id, new IssuerClient(issuer, needs.clock)]));
  }

  close(): void {
    this.#isStopped = true;
    for (const client of this.#clients.values()) client.close();
  }

  issuer(id: string): OidcIssuer | undefined {
    return this.#clients.get(id)?.issuer;
  }

  /** The address at which the person signs in (OIDC-2, OIDC-3). */
  async begin(
    id: string,
    given: Pick<Begun, 'redirectUri' | 'next' | 'invite'> & { browser: string },
  ): Promise<string> {
    const { browser, ...rest } = given;
    const state = random();
    const begun: Begun = { ...rest, issuerId: id, nonce: random(), verifier: random() };
    const url = await this.#client(id).begin(given.redirectUri, { state, ...begun });
    const sealed = this.#needs.keys.seal(JSON.stringify(begun), oidcLoginBinding(tokenHash(state)));
    await this.#needs.units.beginOidc({ stateHash: hex(state), browserHash: hex(browser), sealed });
    return url;
  }

  /** Takes the sign-in with this state, which only its own browser can, once. Rejects with NoSuchSignIn. */
  async take(id: string, state: string, browser: string): Promise<Begun> {
    const sealed = await this.#needs.units.takeOidc({ stateHash: hex(state), browserHash: hex(browser) });
    if (sealed === null) throw new NoSuchSignIn();
    // Was sealed by `begin`.
    const begun = JSON.parse(this.#needs.keys.open(sealed, oidcLoginBinding(tokenHash(state)))) as Begun;
    if (begun.issuerId !== id) throw new NoSuchSignIn();
    return begun;
  }

  /** Completes a sign-in: the code that its browser exchanges for a session. */
  async finish(begun: Begun, from: { query: string; state: string; browser: string; address: string }) {
    const { query, state, browser, address } = from;
    const client = this.#client(begun.issuerId);
    const { issuer } = client;
    const url = new URL(begun.redirectUri);
    url.search = query;
    const { subject, sid, claims, refreshToken } = await client.redeem(url, { state, ...begun });
    const person = { issuer: issuer.issuer, subject };
    const code = newToken('oc_');
    await this.#needs.units.enterByOidc({
      ...person,
      preferred: textOf(claims['preferred_username']),
      email: textOf(claims['email']),
      name: textOf(claims['name']),
      role: this.#roleOf(issuer, claims),
      only: issuer.only,
      invite: begun.invite,
      address,
      sid,
      sealed: refreshToken === null ? null : this.#needs.keys.seal(refreshToken, oidcBinding(person)),
      codeHash: Buffer.from(code.hash).toString('hex'),
      browserHash: hex(browser),
    });
    return code.token;
  }

  /** Back-channel logout; false if the token was used before. Rejects if it is not valid (OIDC-10). */
  async logout(id: string, token: string): Promise<boolean> {
    const client = this.#client(id);
    const { jti, sid, subject } = await client.verifyLogout(token);
    const { issuer } = client.issuer;
    return this.#needs.units.logoutByOidc({ issuer, jtiHash: hex(JSON.stringify([issuer, jti])), sid, subject });
  }

  /** The ids of all issuers. */
  get ids(): Iterable<string> {
    return this.#clients.keys();
  }

  /** Ends the sessions that no issuer has confirmed for a day (OIDC-12). */
  async endUnconfirmed(): Promise<void> {
    const { read, units, clock } = this.#needs;
    const dayAgo = dateBefore(clock.now(), UNCONFIRMED_MS);
    if ((await read.all(unconfirmedSessions, dayAgo, 1)).length > 0) await units.endUnconfirmed();
  }

  /** Asks one issuer about the sessions that are due, so that a slow one delays no other (OIDC-11). */
  async tend(id: string): Promise<void> {
    const { read, clock } = this.#needs;
    const client = this.#client(id);
    const { issuer } = client.issuer;
    while (!this.#isStopped && clock.monotonic() >= (this.#leftAloneUntil.get(id) ?? 0)) {
      const now = clock.now();
      const due = await read.all(dueOidcSessions, issuer, now, dateAfter(now, REFRESH_MS + APART_MS), AT_ONCE);
      await Promise.all(due.map((row) => this.#refresh(client, row)));
      if (due.length < AT_ONCE) return;
    }
  }

  async #refresh(client: IssuerClient, row: OidcSessionRow): Promise<void> {
    const { units, keys, clock, logger } = this.#needs;
    const { session_key: sessionKey, account_key: accountKey, issuer } = row;
    if (!(await units.claimOidc({ sessionKey, former: row.refresh_at }))) return;
    try {
      const { claims, isComplete, refreshToken } = await client.refresh(
        keys.open(row.sealed, oidcBinding(row)),
        row.subject,
      );
      if (refreshToken === null) return;
      const sealed = keys.seal(refreshToken, oidcBinding(row));
      const role = isComplete ? this.#roleOf(client.issuer, claims) : null;
      await units.confirmOidc({ sessionKey, accountKey, issuer, sealed, role });
    } catch (err) {
      if (this.#isStopped) return;
      if (err instanceof IssuerRefuses) {
        await units.endOidc({ sessionKeys: [sessionKey] });
        return;
      }
      // The claim expires, and then a node asks again.
      if (err instanceof IssuerAway) this.#leftAloneUntil.set(client.issuer.id, clock.monotonic() + LEFT_ALONE_MS);
      logger.warn({ err, issuer }, 'an issuer could not be asked about a session; the session stays for now');
    }
  }

  #roleOf(issuer: OidcIssuer, claims: Readonly<Record<string, unknown>>): GivenRole | null {
    return issuer.groupsClaim === null ? null : roleOfGroups(issuer, claims[issuer.groupsClaim]);
  }

  #client(id: string): IssuerClient {
    const client = this.#clients.get(id);
    if (!client) throw new NoSuchSignIn();
    return client;
  }
}
