import { operations } from '@parley/protocol';
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { invalid, ServiceError } from '../core/errors.ts';
import { backendByIssuer } from '../store/backends.ts';
import type { Sql } from '../store/sql.ts';
import type { UserClaims } from './open-user-session.ts';

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

const claimsInput = operations.createUserToken.input.omit({ backend_key: true, expires_in: true });

export interface VerifiedJwt {
  backendKey: number;
  issuer: string;
  claims: UserClaims;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const refused = (why: string) => new ServiceError('unauthenticated', `the JWT is not valid: ${why}`);

/** Checks a JWT by which a backend vouches for one of its users (TOKEN-14); 401 unless its signature and times are valid. */
export async function verifyJwt(tx: Sql, jwt: string, now: number): Promise<VerifiedJwt> {
  // Not verified yet: it may be anything.
  const iss: unknown = decoded(jwt).iss;
  const isText = typeof iss === 'string' && iss.isWellFormed() && !iss.includes('\0');
  const backend = isText ? await tx.get(backendByIssuer, iss) : undefined;
  if (!backend) throw refused('no backend has its issuer');
  // Stored by the admin command, which has checked it.
  const keys = createLocalJWKSet(JSON.parse(backend.jwks) as JSONWebKeySet);
  const { issuer, audience } = backend;
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['sub', 'exp'],
    currentDate: new Date(now),
  };
  const { payload } = await jwtVerify(jwt, keys, options).catch((error: unknown) => {
    throw refused(error instanceof errors.JOSEError ? error.message : 'its key cannot be used');
  });
  const { sub, name, chat_ids, agent_username, exp = 0 } = payload;
  const parsed = claimsInput.safeParse({ external_id: sub, display_name: name, chat_ids, agent_username });
  if (!parsed.success) throw invalid('jwt', `has a bad claim: ${parsed.error.issues[0]?.path.join('.')}`);
  return { backendKey: backend.key, issuer, claims: parsed.data, expiresAt: Math.floor(exp * 1_000) };
}

function decoded(jwt: string): JWTPayload {
  try {
    return decodeJwt(jwt);
  } catch {
    throw refused('it is malformed');
  }
}
