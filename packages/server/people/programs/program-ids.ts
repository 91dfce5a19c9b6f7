// The ids of programs that register themselves (RFC 7591). What a program says of itself is in its id, under a signature: so
// nothing is stored that strangers could fill, every node knows every program, and an id ends by its own date (MCPS-13).
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { hasCome } from '@parley/protocol/dates';
import { isTextList } from '../../rules/json-values.ts';
import type { SecretKey } from '../../secrets/seal.ts';
import type { Program } from './program-metadata.ts';

const PREFIX = 'pc_';
/** How long a registered program may ask people for consent; what it was granted goes on. */
const LIFETIME_S = 90 * 86_400;
/** Maximum bytes of what a program says of itself: its id stands in addresses. */
export const MAX_REGISTERED_BYTES = 2_048;
const SIGNATURE_BYTES = 24;
/** In base64url each byte string has one form only: 24 bytes are 32 characters. */
const FORM = /^pc_([\w-]+)\.([\w-]{32})$/;

/** Makes and reads the ids of registered programs. */
export class ProgramIds {
  readonly #keys: readonly Buffer[];

  constructor(keys: readonly SecretKey[]) {
    this.#keys = keys.map(({ bytes }) => Buffer.from(hkdfSync('sha256', bytes, '', 'program ids', 32)));
  }

  /** Null if the program says too much. */
  make({ name, redirects }: Program, now: number): string | null {
    const body = Buffer.from(JSON.stringify([Math.floor(now / 1_000), name, ...redirects]));
    if (body.length > MAX_REGISTERED_BYTES) return null;
    const text = body.toString('base64url');
    return `${PREFIX}${text}.${this.#signature(this.#keys[0], text).toString('base64url')}`;
  }

  /** Null for what is no id of ours, or too old. */
  read(id: string, now: number): Program | null {
    const [, text, signature] = FORM.exec(id) ?? [];
    if (text === undefined || signature === undefined) return null;
    const given = Buffer.from(signature, 'base64url');
    if (!this.#keys.some((key) => timingSafeEqual(this.#signature(key, text), given))) return null;
    const [madeAt, name, ...redirects] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]; // signed by us
    if (typeof madeAt !== 'number' || typeof name !== 'string' || !isTextList(redirects)) return null;
    return hasCome((madeAt + LIFETIME_S) * 1_000, now) ? null : { name, redirects };
  }

  #signature(key: Buffer | undefined, text: string): Buffer {
    if (!key) throw new Error('no key to sign with');
    return createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  }
}
