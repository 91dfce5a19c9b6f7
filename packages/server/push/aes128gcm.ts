import { createCipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

/** Every payload is padded to this length, so that a push service cannot tell a long message from a short one. */
const PADDED_BYTES = 3_300;
const RECORD_BYTES = 4_096;
/** Delimiter after the text of the last record; only padding follows it. */
const LAST_RECORD = 2;

/** The keys of a browser's subscription, in base64url. */
export interface BrowserKeys {
  p256dh: string;
  auth: string;
}

interface Chance {
  /** The ephemeral private key of this push. */
  privateKey?: Buffer;
  salt?: Buffer;
  paddedBytes?: number;
}

/**
 * Encrypts a payload for a browser by RFC 8291, as a single record of RFC 8188. Uses node:crypto directly: the usual
 * library takes five times as long, all of it on the main thread.
 */
export function encryptFor(keys: BrowserKeys, payload: Buffer, chance: Chance = {}): Buffer {
  const { salt = randomBytes(16), paddedBytes = PADDED_BYTES } = chance;
  if (payload.length > paddedBytes) throw new Error('the payload is too long for a push');
  const browser = Buffer.from(keys.p256dh, 'base64url');
  const own = createECDH('prime256v1');
  if (chance.privateKey) own.setPrivateKey(chance.privateKey);
  else own.generateKeys();
  const point = own.getPublicKey();

  const context = Buffer.concat([Buffer.from('WebPush: info\0'), browser, point]);
  const secret = derive(Buffer.from(keys.auth, 'base64url'), own.computeSecret(browser), context, 32);
  const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);

  const padded = Buffer.alloc(paddedBytes + 1);
  padded[payload.copy(padded)] = LAST_RECORD;
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([
    salt,
    recordSize,
    Buffer.from([point.length]),
    point,
    cipher.update(padded),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

const hmac = (key: Buffer, ...parts: Buffer[]): Buffer => {
  const made = createHmac('sha256', key);
  for (const part of parts) made.update(part);
  return made.digest();
};

/** HKDF for an output of at most one block. */
const derive = (salt: Buffer, secret: Buffer, info: Buffer, bytes: number): Buffer =>
  hmac(hmac(salt, secret), info, Buffer.from([1])).subarray(0, bytes);
