import { label } from '@parley/protocol';
import { createRemoteJWKSet, customFetch as joseFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import type { Clock } from '../../core/clock.ts';
import { boundedFetch } from '../../outbound/bounded-fetch.ts';
import { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import type { OidcIssuer } from './oidc-config.ts';

/** How long an issuer may take for one answer. */
const TIMEOUT_MS = 8_000;
/** Maximum bytes of an answer: an id_token names all groups of a person. */
const MAX_BYTES = 256 * 1024;
/** How long what the issuer says of itself is used. */
const DISCOVERED_MS = 600_000;
/** Tolerated difference of clocks. */
const TOLERANCE_S = 30;
/** Keys are fetched again for an unknown one, at most this often: anybody can make up the name of a key. */
const KEYS_EVERY_MS = 30_000;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Oldest logout token that is taken; its `jti` is remembered for longer. */
const LOGOUT_AGE_S = 300;
/** OpenID Connect Core allows 255 ASCII characters; some issuers use others. */
const subjectText = label(255);
/** Of a session at the issuer; one that cannot be stored is as if there were none. */
const sidText = label(1_024);
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The issuer does not answer, or says that it cannot at the moment. */
export class IssuerAway extends Error {}
/** The issuer refuses: a code that is not good, or a person who is no longer let in. */
export class IssuerRefuses extends Error {}

/** What an issuer says of a person. */
export interface Confirmed {
  subject: string;
  sid: string | null;
  claims: Readonly<Record<string, unknown>>;
  /** Whether the issuer has been asked for all claims: a refresh without an id_token and userinfo says nothing of groups. */
  isComplete: boolean;
  refreshToken: string | null;
}
/** Whose sessions a logout token ends. */
export interface Logout {
  jti: string;
  sid: string | null;
  subject: string | null;
}

interface Found {
  config: client.Configuration;
  keys: JWTVerifyGetKey;
  at: number;
}

/** Talks to one issuer. Each request is guarded and bounded, and each token is checked in full (OIDC-4). */
export class IssuerClient {
  readonly issuer: OidcIssuer;
  readonly #clock: Clock;
  readonly #guarded: GuardedFetch;
  readonly #stop = new AbortController();
  #found: Found | null = null;
  #finding: Promise<Found> | null = null;

  constructor(issuer: OidcIssuer, clock: Clock) {
    this.issuer = issuer;
    this.#clock = clock;
    // The operator has named it, so it may be on a private network.
    this.#guarded = new GuardedFetch({ isPublicAllowed: true, origins: new Set([new URL(issuer.issuer).origin]) });
  }

  close(): void {
    this.#stop.abort();
    this.#guarded.close();
  }

  /** The address at which a person signs in. */
  async begin(
    redirectUri: string,
    { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
  ): Promise<string> {
    const { config } = await this.#discovered();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: this.issuer.scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** Redeems the code with which a person came back to `url`. */
  async redeem(
    url: URL,
    { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
  ): Promise<Confirmed> {
    const found = await this.#discovered();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await answered(() => client.authorizationCodeGrant(found.config, url, checks));
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined) throw new Error('the issuer gave no id_token');
    if (!subjectText.safeParse(claims.sub).success) throw new Error('the issuer names the person by no valid sub');
    await this.#verify(found, tokens.id_token);
    const all = await this.#completed(found, tokens.access_token, claims);
    return { ...confirmed(claims.sub, all), isComplete: true, refreshToken: tokens.refresh_token ?? null };
  }

  /** Asks whether the person is still let in. Rejects with IssuerRefuses if not. */
  async refresh(refreshToken: string, subject: string): Promise<Confirmed> {
    const found = await this.#discovered();
    const tokens = await answered(() => client.refreshTokenGrant(found.config, refreshToken));
    const claims = tokens.claims();
    if (tokens.id_token !== undefined) await this.#verify(found, tokens.id_token);
    if (claims && claims.sub !== subject) throw new Error('the issuer confirms another person');
    const all = await this.#completed(found, tokens.access_token, { ...claims, sub: subject });
    const isComplete = claims !== undefined || found.config.serverMetadata().userinfo_endpoint !== undefined;
    return { ...confirmed(subject, all), isComplete, refreshToken: tokens.refresh_token ?? refreshToken };
  }

  /** Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6); rejects if it is not valid. */
  async verifyLogout(token: string): Promise<Logout> {
    const found = await this.#discovered();
    const { payload, protectedHeader } = await this.#verify(found, token, ['iat', 'jti'], LOGOUT_AGE_S);
    const { events, nonce, sid, sub, jti } = payload;
    if (protectedHeader.typ !== undefined && !/^(application\/)?(logout\+)?jwt$/i.test(protectedHeader.typ))
      throw new Error('is of another type');
    if (nonce !== undefined) throw new Error('has a nonce: it is an id_token');
    const event = isObject(events) && Object.hasOwn(events, LOGOUT_EVENT) ? events[LOGOUT_EVENT] : undefined;
    if (!isObject(event)) throw new Error('is of no logout');
    if (typeof jti !== 'string' || jti === '') throw new Error('has no jti');
    if (sid !== undefined && typeof sid !== 'string') throw new Error('has a wrong sid');
    if (sub !== undefined && typeof sub !== 'string') throw new Error('has a wrong sub');
    if (sid === undefined && sub === undefined) throw new Error('names neither a session nor a person');
    return { jti, sid: sid ?? null, subject: sub ?? null };
  }

  #verify({ config, keys }: Found, token: string, requiredClaims: string[] = [], maxTokenAge?: number) {
    return answered(() =>
      jwtVerify(token, keys, {
        issuer: config.serverMetadata().issuer,
        audience: this.issuer.clientId,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_S,
        requiredClaims,
        ...(maxTokenAge !== undefined && { maxTokenAge }),
      }),
    );
  }

  /** The claims of an id_token, with what only the issuer's userinfo says: names, and groups. */
  async #completed(
    { config }: Found,
    accessToken: string,
    claims: Readonly<Record<string, unknown>> & { sub: string },
  ): Promise<Readonly<Record<string, unknown>>> {
    const { groupsClaim } = this.issuer;
    const isNamed = claims['preferred_username'] !== undefined || claims['email'] !== undefined;
    const isGrouped = groupsClaim === null || Object.hasOwn(claims, groupsClaim);
    if ((isNamed && isGrouped) || config.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await answered(() => client.fetchUserInfo(config, accessToken, claims.sub))), ...claims };
  }

  async #discovered(): Promise<Found> {
    if (this.#found && this.#clock.monotonic() - this.#found.at < DISCOVERED_MS) return this.#found;
    this.#finding ??= this.#discover().finally(() => (this.#finding = null));
    return this.#finding;
  }

  async #discover(): Promise<Found> {
    const { issuer, clientId, clientSecret } = this.issuer;
    const url = new URL(issuer);
    // Only an issuer on loopback has an http address. The library calls it deprecated so that it is seen.
    // oxlint-disable-next-line typescript/no-deprecated -- see above
    const execute = url.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const found = await answered(() =>
      client.discovery(url, clientId, undefined, client.None(), {
        [client.customFetch]: this.#fetch,
        execute,
      }),
    );
    const metadata = found.serverMetadata();
    if (metadata.jwks_uri === undefined) throw new Error('the issuer publishes no keys');
    const methods = metadata.token_endpoint_auth_methods_supported;
    const authentication =
      clientSecret === null
        ? client.None()
        : methods === undefined || methods.includes('client_secret_basic')
          ? client.ClientSecretBasic(clientSecret)
          : client.ClientSecretPost(clientSecret);
    const config = new client.Configuration(
      metadata,
      clientId,
      { [client.clockTolerance]: TOLERANCE_S },
      authentication,
    );
    // oxlint-disable-next-line typescript/no-deprecated -- issuers on loopback may speak http
    for (const allow of execute) allow(config);
    config[client.customFetch] = this.#fetch;
    const keys =
      this.#found?.config.serverMetadata().jwks_uri === metadata.jwks_uri
        ? this.#found.keys
        : createRemoteJWKSet(new URL(metadata.jwks_uri), {
            [joseFetch]: this.#fetch,
            cooldownDuration: KEYS_EVERY_MS,
            cacheMaxAge: DISCOVERED_MS,
          });
    this.#found = { config, keys, at: this.#clock.monotonic() };
    return this.#found;
  }

  readonly #fetch = async (url: string, init: object): Promise<Response> => {
    const timeout = new AbortController();
    const timer = this.#clock.setTimer(() => timeout.abort(), TIMEOUT_MS);
    try {
      const signal = AbortSignal.any([timeout.signal, this.#stop.signal]);
      const response = await boundedFetch(this.#guarded.fetch, { signal, maxBytes: MAX_BYTES })(url, init).catch(
        (cause: unknown) => {
          throw isOfNetwork(cause) || timeout.signal.aborted ? new IssuerAway('did not answer', { cause }) : cause;
        },
      );
      if (response.status >= 500 || response.status === 429) throw new IssuerAway(`answered ${response.status}`);
      return response;
    } finally {
      timer.cancel();
    }
  };
}

const isOfNetwork = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

/** Tells whether an issuer is away, refuses, or answers what makes no sense; the library wraps errors in its own. */
async function answered<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof IssuerAway) throw cause;
    if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
      throw new IssuerRefuses('the issuer refuses', { cause: error });
    // It has the claims of the token, and what is thrown here is logged.
    // oxlint-disable-next-line preserve-caught-error -- see above
    if (error instanceof errors.JOSEError) throw new Error(`${error.code}: ${error.message}`);
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function confirmed(
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): Omit<Confirmed, 'isComplete' | 'refreshToken'> {
  const sid = sidText.safeParse(claims['sid']);
  return { subject, sid: sid.success ? sid.data : null, claims };
}
