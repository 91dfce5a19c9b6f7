// Office files with a password for tests, in both methods of ECMA-376, written by hand.
import { createCipheriv, createHash } from 'node:crypto';

const SECTOR = 512;
const END = 0xffff_fffe;
const FREE = 0xffff_ffff;

/** A compound file of these streams, which are all in sectors of their own. */
export function compoundFile(streams: Readonly<Record<string, Buffer>>): Buffer<ArrayBuffer> {
  const sectors: Buffer[] = [];
  const chains: number[] = [];
  const add = (content: Buffer): number => {
    const first = sectors.length;
    const count = Math.ceil(content.length / SECTOR);
    for (let at = 0; at < count; at += 1) {
      const sector = Buffer.alloc(SECTOR);
      content.copy(sector, 0, at * SECTOR);
      sectors.push(sector);
      chains.push(at === count - 1 ? END : first + at + 1);
    }
    return first;
  };
  const entry = (name: string, type: number, start: number, length: number): Buffer => {
    const bytes = Buffer.alloc(128);
    bytes.write(name, 'utf16le');
    bytes.writeUInt16LE(name.length * 2 + 2, 64);
    bytes.writeUInt8(type, 66);
    bytes.fill(0xff, 68, 80);
    bytes.writeUInt32LE(start, 116);
    bytes.writeUInt32LE(length, 120);
    return bytes;
  };
  const entries = Object.entries(streams).map(([name, content]) => entry(name, 2, add(content), content.length));
  const directory = add(Buffer.concat([entry('Root Entry', 5, END, 0), ...entries]));
  const header = Buffer.alloc(SECTOR);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(directory, 48);
  // No stream is small enough for the sectors that small ones share.
  header.writeUInt32LE(0, 56);
  header.writeUInt32LE(END, 60);
  header.writeUInt32LE(END, 68);
  header.fill(0xff, 76);
  header.writeUInt32LE(sectors.length, 76);
  const table = Buffer.alloc(SECTOR, 0xff);
  for (const [at, next] of [...chains, FREE - 2].entries()) table.writeUInt32LE(next, at * 4);
  return Buffer.from(Buffer.concat([header, ...sectors, table]));
}

const hashOf = (name: string, ...pieces: Uint8Array[]): Buffer =>
  createHash(name).update(Buffer.concat(pieces)).digest();
const numberBytes = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};
function rounds(name: string, salt: Buffer, password: string, count: number): Buffer {
  let hash = hashOf(name, salt, Buffer.from(password, 'utf16le'));
  for (let round = 0; round < count; round += 1) hash = hashOf(name, numberBytes(round), hash);
  return hash;
}
/** A salt as the first block of a cipher. */
const fitted = (salt: Buffer): Buffer => Buffer.concat([salt, Buffer.alloc(16, 0x36)], 16);
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes], Math.ceil(bytes.length / 16) * 16);
function ciphered(method: string, key: Buffer, iv: Buffer | null, bytes: Buffer): Buffer {
  const cipher = createCipheriv(method, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(padded(bytes)), cipher.final()]);
}
function sized(bytes: number, content: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32LE(bytes);
  return Buffer.concat([size, content]);
}

/** A file encrypted as newer programs do. */
export function encryptedOffice(
  file: Buffer,
  password: string,
  { count = 1_000, saltBytes = 16, dataSaltBytes = 16 } = {},
): Buffer<ArrayBuffer> {
  const salt = Buffer.alloc(saltBytes, 1);
  const dataSalt = Buffer.alloc(dataSaltBytes, 2);
  const secret = Buffer.alloc(16, 3);
  const input = Buffer.alloc(salt.length, 4);
  const base = rounds('sha512', salt, password, count);
  const sealed = (use: string, bytes: Buffer): string => {
    const key = hashOf('sha512', base, Buffer.from(use, 'hex')).subarray(0, 16);
    return ciphered('aes-128-cbc', key, fitted(salt), bytes).toString('base64');
  };
  const common =
    'saltSize="16" blockSize="16" keyBits="128" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"';
  const xml =
    `<encryption><keyData ${common} saltValue="${dataSalt.toString('base64')}"/><keyEncryptors><keyEncryptor>` +
    `<p:encryptedKey spinCount="${count}" ${common} saltValue="${salt.toString('base64')}" encryptedVerifierHashInput="${sealed('fea7d2763b4b9e79', input)}" ` +
    `encryptedVerifierHashValue="${sealed('d7aa0f6d3061344e', hashOf('sha512', input))}" encryptedKeyValue="${sealed('146e0be7abacd0d6', secret)}"/>` +
    '</keyEncryptor></keyEncryptors></encryption>';
  const segments: Buffer[] = [];
  for (let at = 0; at < file.length; at += 4_096) {
    const iv = hashOf('sha512', dataSalt, numberBytes(at / 4_096)).subarray(0, 16);
    segments.push(ciphered('aes-128-cbc', secret, iv, file.subarray(at, at + 4_096)));
  }
  return compoundFile({
    EncryptionInfo: Buffer.concat([Buffer.from('0400040040000000', 'hex'), Buffer.from(xml)]),
    EncryptedPackage: sized(file.length, Buffer.concat(segments)),
  });
}

/** The same as older programs do. */
export function olderEncryptedOffice(file: Buffer, password: string): Buffer<ArrayBuffer> {
  const [salt, verifier] = [1, 2].map((byte) => Buffer.alloc(16, byte)) as [Buffer, Buffer]; // one for each
  const base = hashOf('sha1', rounds('sha1', salt, password, 50_000), numberBytes(0));
  const block = Buffer.alloc(64, 0x36);
  for (const [at, byte] of base.entries()) block[at] = byte ^ 0x36;
  const key = hashOf('sha1', block).subarray(0, 16);
  const header = Buffer.alloc(34);
  header.writeUInt32LE(128, 16);
  const info = Buffer.concat([
    Buffer.from('0400020024000000', 'hex'),
    numberBytes(header.length),
    header,
    numberBytes(16),
    salt,
    ciphered('aes-128-ecb', key, null, verifier),
    numberBytes(20),
    ciphered('aes-128-ecb', key, null, hashOf('sha1', verifier)),
  ]);
  return compoundFile({
    EncryptionInfo: info,
    EncryptedPackage: sized(file.length, ciphered('aes-128-ecb', key, null, file)),
  });
}
