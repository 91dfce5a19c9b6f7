// secrets/: passwords, tokens, sealed keys, signed addresses. Imports store and the rooms below it.
// Secrets at rest: sealed with authenticated encryption, bound to where they are stored, under keys that can be rotated.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretLayer } from '../store/secrets.ts';

export interface SecretKey {
  id: string;
  bytes: Uint8Array;
}

/** The first key seals; every key opens (KEY-4). */
export class KeyRing {
  readonly #keys: readonly SecretKey[];

  constructor(keys: readonly SecretKey[]) {
    this.#keys = keys;
  }

  /**
   * `binding` says where the secret belongs, such as account and field: a copy that is stored elsewhere does not open.
   */
  seal(secret: string, binding: string): string {
    const key = this.#keys[0];
    if (!key) throw new Error('no key to seal with');
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
    cipher.setAAD(Buffer.from(binding));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1:${key.id}:${sealed.toString('base64url')}`;
  }

  /** Whether the first key sealed this text. */
  isCurrent(sealed: string): boolean {
    const key = this.#keys[0];
    return key !== undefined && sealed.startsWith(`v1:${key.id}:`);
  }

  /** Throws if no key opens the text or it was sealed with another binding. */
  open(sealed: string, binding: string): string {
    const [version, id, text] = sealed.split(':');
    const key = this.#keys.find((candidate) => candidate.id === id);
    if (version !== 'v1' || !key || text === undefined) throw new Error('sealed under an unknown key');
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(binding));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
  }
}

/** The last 4 characters; a secret shorter than 8 is masked completely (KEY-3). */
export function maskedTail(secret: string): string {
  const characters = Array.from(secret);
  return characters.length < 8 ? '••••' : `••••${characters.slice(-4).join('')}`;
}

/**
 * The binding of an agent's secret. An owner's override has another layer than the value the owner shares. A key for a
 * server of the agent's own is bound to that origin too, so it can be sent to no other (CUSTOM-9).
 */
export function secretBinding(
  agentKey: number,
  accountKey: number,
  field: string,
  layer: SecretLayer = 'owner',
  origin: string | null = null,
): string {
  const place = `agent:${agentKey}:account:${accountKey}:field:${field}`;
  return `${layer === 'owner' ? '' : `${layer}:`}${place}${origin === null ? '' : `:origin:${origin}`}`;
}

/** The binding of a key that the service has made for itself. */
export const serviceKeyBinding = (name: string): string => `service:${name}`;

/** The binding of an invite's token: the hash that identifies its row. */
export const inviteBinding = (tokenHash: Uint8Array): string => `invite:${Buffer.from(tokenHash).toString('hex')}`;

/** The binding of a subscription's secret: the id of its row. */
export const subscriptionBinding = (id: Uint8Array): string => `webhook:${Buffer.from(id).toString('hex')}`;

/** The binding of what a call of a tool was asked, has answered, or needs to go on: the id of its row. */
export const callBinding = (id: string, what: 'arguments' | 'result' | 'input'): string => `call:${id}:${what}`;

/** The binding of a step of a turn. */
export const stepBinding = (turnKey: number, step: number): string => `turn:${turnKey}:step:${step}`;

/** The binding of an account's credential for a server of tools: it is sent to no other origin (TOOL-6). */
export const toolBinding = (serverKey: number, accountKey: number, origin: string): string =>
  `tool:${serverKey}:account:${accountKey}:origin:${origin}`;

/** The binding of a sign-in at an issuer that has begun: the hash of its state, which identifies its row. */
export const oidcLoginBinding = (stateHash: Uint8Array): string =>
  `oidc-login:${Buffer.from(stateHash).toString('hex')}`;

/** The binding of an issuer's refresh token: it is good for this person there only. */
export const oidcBinding = ({ issuer, subject }: { issuer: string; subject: string }): string =>
  `oidc:${JSON.stringify([issuer, subject])}`;

/** The binding of the secret of a second factor: its account. */
export const factorBinding = (accountKey: number): string => `second-factor:${accountKey}`;

/** The binding of a login that has begun: the hash of its state, which identifies its row. */
export const toolLoginBinding = (stateHash: Uint8Array): string =>
  `tool-login:${Buffer.from(stateHash).toString('hex')}`;
