import { limits, operations } from '@parley/protocol';
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { invalid, ServiceError } from '../core/errors.ts';
import { backendByIssuer, type BackendRow, backendUser, type TrustedIssuer } from '../store/backends.ts';
import type { Sql } from '../store/sql.ts';
import { deletionOf, requireTrusted } from './backend-users.ts';
import type { UserClaims } from './open-user-session.ts';
import type { PublishedKeys } from './published-keys.ts';

/** Signatures by a private key only: with a shared secret, the service itself could sign for the backend. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** How long before its `nbf` a JWT is accepted, because clocks differ. */
const NOT_BEFORE_TOLERANCE_S = 30;
/** How far the clock of a backend may be ahead. */
const CLOCK_AHEAD_MS = 10_000;

const claimsInput = operations.createUserToken.input.omit({ backend_key: true, expires_in: true });

interface VerifiedJwt {
  backendKey: number;
  issuer: string;
  claims: UserClaims;
  /** Milliseconds since the epoch. */
  issuedAt: number;
  /** At most a day after `issuedAt`. */
  expiresAt: number;
}

const keysUnavailable = (retryAfterMs: number): ServiceError => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const why = `the JWT has a key that is not known, and newer keys cannot be fetched now; try again in ${seconds} s`;
  return new ServiceError('unavailable', why, { retry_after: seconds });
};
const refused = (why: string) => new ServiceError('unauthenticated', `the JWT is not valid: ${why}`);

interface JwtNeeds {
  tx: Sql;
  now: number;
  published: Pick<PublishedKeys, 'isOld' | 'renew' | 'retryAfterMs'>;
}

/**
 * Checks a JWT by which a backend vouches for one of its users (TOKEN-14); 401 unless its signature and times are valid.
 * If the backend publishes its keys, they may be fetched first (TOKEN-18); `unavailable` if none of the stored ones has
 * signed the JWT and no newer set can be fetched now: its key may be a new one (TOKEN-19).
 */
export async function verifyJwt(jwt: string, { tx, now, published }: JwtNeeds): Promise<VerifiedJwt> {
  // Not verified yet: it may be anything.
  const iss: unknown = decoded(jwt).iss;
  const trusted = async (): Promise<TrustedIssuer> => {
    const isText = typeof iss === 'string' && iss.isWellFormed() && !iss.includes('\0');
    const backend = isText ? await tx.get(backendByIssuer, iss) : undefined;
    if (!backend) throw refused('no backend has its issuer');
    return backend;
  };
  let isFresh = false;
  const renewed = async (known: TrustedIssuer): Promise<TrustedIssuer> => {
    // No request for a backend whose owner is disabled.
    await requireTrusted(tx, known.key, known.issuer);
    isFresh = await published.renew(known);
    return trusted();
  };
  let backend = await trusted();
  if (published.isOld(backend)) backend = await renewed(backend);
  let checked = await verify(backend, jwt, now);
  const needsNewerKeys = (): boolean => isSignedByUnknownKey(checked) && !isFresh && backend.jwks_url !== null;
  if (needsNewerKeys()) {
    const { jwks } = backend;
    backend = await renewed(backend);
    if (backend.jwks !== jwks) checked = await verify(backend, jwt, now);
  }
  if (needsNewerKeys()) throw keysUnavailable(published.retryAfterMs(backend));
  if (checked instanceof Error)
    throw refused(checked instanceof errors.JOSEError ? checked.message : 'its key cannot be used');
  const { issuer } = backend;
  const { sub, name, chat_ids, agent_username, exp = 0, iat = 0 } = checked;
  if (exp * 1_000 <= now) throw refused('it has expired');
  const issuedAt = Math.floor(iat * 1_000);
  const expiresAt = Math.min(Math.floor(exp * 1_000), issuedAt + limits.userTokenSecondsMost * 1_000);
  if (issuedAt > now + CLOCK_AHEAD_MS) throw refused('its iat is in the future');
  if (expiresAt <= now) throw refused('it was issued more than a day ago');
  const parsed = claimsInput.safeParse({ external_id: sub, display_name: name, chat_ids, agent_username });
  if (!parsed.success) throw invalid('jwt', `has a bad claim: ${parsed.error.issues[0]?.path.join('.')}`);
  return { backendKey: backend.key, issuer, claims: parsed.data, issuedAt, expiresAt };
}

/** The claims of a JWT, or why its signature, issuer, audience or times are not valid. */
async function verify({ issuer, audience, jwks }: TrustedIssuer, jwt: string, now: number) {
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'iat'],
    currentDate: new Date(now),
    // For `nbf`: clocks differ. `exp` is checked without a tolerance.
    clockTolerance: NOT_BEFORE_TOLERANCE_S,
  };
  try {
    return (await jwtVerify(jwt, createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet), options)).payload;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Whether the backend may have published another set with which the JWT is valid: one that adds its key, or one that
 * removes the second of two keys that a JWT without `kid` could mean.
 */
const isSignedByUnknownKey = (verified: JWTPayload | Error): boolean =>
  verified instanceof errors.JWKSNoMatchingKey ||
  verified instanceof errors.JWKSMultipleMatchingKeys ||
  verified instanceof errors.JWSSignatureVerificationFailed;

/**
 * What a JWT may still do: it joins no groups if its user has left one since it was issued, and is 401 if its user was
 * deleted since then (TOKEN-16).
 */
export async function claimsInForce(
  tx: Sql,
  backend: BackendRow,
  { claims, issuedAt }: Pick<VerifiedJwt, 'claims' | 'issuedAt'>,
): Promise<UserClaims> {
  const deletedAt = (await deletionOf(tx, backend, claims.external_id)) ?? 0;
  if (issuedAt <= deletedAt) throw refused('its user was deleted after it was issued');
  const user = await tx.get(backendUser, backend.key, claims.external_id);
  return issuedAt <= (user?.left_at ?? 0) ? { ...claims, chat_ids: undefined } : claims;
}

function decoded(jwt: string): JWTPayload {
  try {
    return decodeJwt(jwt);
  } catch {
    throw refused('it is malformed');
  }
}
