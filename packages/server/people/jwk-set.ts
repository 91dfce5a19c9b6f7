import { createPublicKey } from 'node:crypto';
import { z } from 'zod';

/** Maximum size of a JWK Set. */
export const KEY_SET_BYTES = 16_384;
const MAX_KEYS = 20;

/** A public key. `oct`, a shared secret, is none: whoever verifies with it could also sign. */
const publicKey = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })
  .refine((key) => !Object.hasOwn(key, 'd'), 'is a private key');
const keySet = z.object({ keys: z.array(publicKey).min(1).max(MAX_KEYS) });

/** A text is not a JWK Set of public keys, or an address did not answer with one; the message says why. */
export class NoKeySet extends Error {}

/** The JWK Set in a text, as it is stored. Throws NoKeySet unless it holds only public keys that can be used (ADMIN-19). */
export function publicKeysIn(text: string): string {
  const parsed = keySet.safeParse(jsonOf(text));
  if (!parsed.success) throw new NoKeySet(z.prettifyError(parsed.error));
  const { keys } = parsed.data;
  for (const key of keys) assertUsable(key);
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

function assertUsable(key: z.infer<typeof publicKey>): void {
  try {
    createPublicKey({ key, format: 'jwk' });
  } catch {
    throw new NoKeySet('one of its keys cannot be used');
  }
}
