import { createPublicKey } from 'node:crypto';
import { z } from 'zod';

/**
 * Maximum size of a JWK Set. Identity providers publish certificates beside their keys (`x5c`), which makes a set of a
 * dozen keys 30 KiB large.
 */
export const KEY_SET_BYTES = 65_536;
/** Maximum number of keys that are stored: the service reads all of them for each JWT. */
const MAX_KEYS = 20;

/** Maximum length of the message of a NoKeySet: a set can have an error in each of its keys. */
const REASON_LENGTH = 500;

/** A public key. A key of the type `oct` is a shared secret: a service that verifies with it could also sign. */
const publicKey = z
  .looseObject({ kty: z.string() })
  .refine(({ kty }) => kty !== 'oct', 'is a shared secret (kty: oct)')
  .refine((key) => !Object.hasOwn(key, 'd'), 'is a private key');
const keySet = z.object({ keys: z.array(publicKey).min(1) });

/** The members of a key that verifying needs. The others are not stored, above all certificates. */
const STORED_MEMBERS = new Set(['kty', 'kid', 'use', 'key_ops', 'alg', 'crv', 'x', 'y', 'n', 'e']);

/** A text is not a JWK Set of public keys, or an address did not answer with one; the message says why. */
export class NoKeySet extends Error {}

/**
 * The JWK Set in a text, as it is stored: without keys that are not for signatures (by `use` or `key_ops`) or that the
 * service does not understand, which a provider may add (RFC 7517, section 5). Throws NoKeySet if a key is private or a
 * shared secret, or if none or too many can be used (ADMIN-19).
 */
export function publicKeysIn(text: string): string {
  if (Buffer.byteLength(text) > KEY_SET_BYTES) throw new NoKeySet('it is too large');
  const parsed = keySet.safeParse(jsonOf(text));
  if (!parsed.success) throw new NoKeySet(z.prettifyError(parsed.error).slice(0, REASON_LENGTH));
  const given = parsed.data.keys.map(storedMembersOf);
  const keys = given.filter((key) => uselessBecause(key) === null);
  if (keys.length === 0) {
    const reasons = [...new Set(given.map(uselessBecause))].join('; ');
    throw new NoKeySet(`none of its keys can be used: ${reasons}`.slice(0, REASON_LENGTH));
  }
  if (keys.length > MAX_KEYS) throw new NoKeySet(`more than ${MAX_KEYS} of its keys can be used`);
  return JSON.stringify({ keys });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text.
    throw new NoKeySet('it is not JSON');
  }
}

type Key = Readonly<Record<string, unknown>>;

const storedMembersOf = (key: Key): Key =>
  Object.fromEntries(Object.entries(key).filter(([name]) => STORED_MEMBERS.has(name)));

/** Minimum size of an RSA key (RFC 7518, section 3.3): a smaller one never verifies, and could be factored. */
const LEAST_RSA_BITS = 2_048;

/** The algorithms of JWTs that a key of each kind may verify; a key that names another one never does. */
const algorithmsOf: Readonly<Record<string, readonly string[]>> = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA', 'Ed25519'],
};

/** Why no JWT can be verified with a key; null if one can. */
function uselessBecause(key: Key): string | null {
  const { use, key_ops: operations, kty, crv, alg } = key;
  if (use !== undefined && use !== 'sig') return 'a key is not for signatures (use)';
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
    return 'a key is not for verifying (key_ops)';
  const kind = String(kty === 'RSA' ? kty : crv).slice(0, 32);
  const algorithms = Object.hasOwn(algorithmsOf, kind) ? algorithmsOf[kind] : undefined;
  if (!algorithms) return `a key is neither RSA nor of the curves P-256, P-384, P-521 and Ed25519 (${kind})`;
  if (alg !== undefined && !algorithms.some((one) => one === alg))
    return `a key of ${kind} is for another algorithm (alg)`;
  try {
    const { modulusLength: bits = LEAST_RSA_BITS } = createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails ?? {};
    return bits < LEAST_RSA_BITS ? `an RSA key has ${bits} bits, but needs at least ${LEAST_RSA_BITS}` : null;
  } catch {
    return 'a key is malformed';
  }
}
