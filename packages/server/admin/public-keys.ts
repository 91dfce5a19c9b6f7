import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure, messageOf } from './failure.ts';

/** Maximum size of a JWK Set. */
const MAX_CHARACTERS = 16_384;
const MAX_KEYS = 20;

/** A public key. `oct`, a shared secret, is none: whoever verifies with it could also sign. */
const publicKey = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })
  .refine((key) => !Object.hasOwn(key, 'd'), 'is a private key');
const keySet = z.object({ keys: z.array(publicKey).min(1).max(MAX_KEYS) });

/** Reads a JWK Set from a file, and checks that it holds only public keys that can be used (ADMIN-19). */
export function readPublicKeys(file: string): string {
  try {
    const { keys } = keySet.parse(JSON.parse(readFileSync(file, 'utf8')));
    for (const key of keys) createPublicKey({ key, format: 'jwk' });
    const text = JSON.stringify({ keys });
    if (text.length > MAX_CHARACTERS) throw new Error('it is too large');
    return text;
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new Failure(`${file} is not a JWK Set of public keys: ${why}`);
  }
}
