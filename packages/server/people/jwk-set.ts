import { createPublicKey } from 'node:crypto';
import { z } from 'zod';

/** Maximum size of a JWK Set. */
export const KEY_SET_BYTES = 16_384;
const MAX_KEYS = 20;

/** How much of a reason is shown: a set can be wrong in each of its keys. */
const REASON_LENGTH = 500;

/** A public key. A key of the type `oct` is a shared secret: a service that verifies with it could also sign. */
const publicKey = z
  .looseObject({ kty: z.string() })
  .refine(({ kty }) => kty !== 'oct', 'is a shared secret (kty: oct)')
  .refine((key) => !Object.hasOwn(key, 'd'), 'is a private key');
const keySet = z.object({ keys: z.array(publicKey).min(1).max(MAX_KEYS) });

/** A text is not a JWK Set of public keys, or an address did not answer with one; the message says why. */
export class NoKeySet extends Error {}

/**
 * The JWK Set in a text, as it is stored: without the keys that are not understood, which a provider may add (RFC 7517,
 * section 5). Throws NoKeySet if a key is private or a shared secret, or none can be used (ADMIN-19).
 */
export function publicKeysIn(text: string): string {
  const parsed = keySet.safeParse(jsonOf(text));
  if (!parsed.success) throw new NoKeySet(z.prettifyError(parsed.error).slice(0, REASON_LENGTH));
  const keys = parsed.data.keys.filter(isUsable);
  if (keys.length === 0) throw new NoKeySet('none of its keys can be used');
  const stored = JSON.stringify({ keys });
  if (stored.length > KEY_SET_BYTES) throw new NoKeySet('it is too large');
  return stored;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text.
    throw new NoKeySet('it is not JSON');
  }
}

function isUsable(key: z.infer<typeof publicKey>): boolean {
  try {
    createPublicKey({ key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
