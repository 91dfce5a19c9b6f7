// Excel encrypts workbooks that only protect their structure with this password, and opens them without asking for one.
import { streamsOf } from './compound-file.ts';
import { attribute, type Element, eachElement } from './xml.ts';

const PASSWORD = 'VelvetSweatshop';
/** Maximum rounds of the key's derivation, as Excel makes them. */
const MAX_ROUNDS = 100_000;
/** Maximum bytes of a salt, which is hashed for each segment of the package; Excel's have 16. */
const MAX_SALT_BYTES = 64;
/** Maximum length of an AES key. */
const MAX_KEY_BITS = 256;
const STANDARD_ROUNDS = 50_000;
/** Bytes of the package that are encrypted together. */
const SEGMENT_BYTES = 4_096;
const BLOCK_BYTES = 16;
/** What keys of the newer method are for. */
const VERIFIER = [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79];
const VERIFIER_HASH = [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e];
const KEY = [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6];

type Bytes = Uint8Array<ArrayBuffer>;

/** Hashes bytes with an algorithm by its name in the Web Cryptography API. */
export type Digest = (hash: string, bytes: Bytes) => Bytes | Promise<Bytes>;

const webDigest: Digest = async (hash, bytes) => new Uint8Array(await crypto.subtle.digest(hash, bytes));

/**
 * The package of an encrypted file that opens with Excel's own password; null if it needs another one. A key takes
 * 100,000 hashes one after another: give a function that does not wait for each, if there is one.
 */
export async function openedByDefault(bytes: Bytes, digest = webDigest): Promise<Bytes | null> {
  try {
    const stream = streamsOf(bytes);
    const [info, packed] = [stream('EncryptionInfo'), stream('EncryptedPackage')];
    if (!info || !packed || packed.length < 8) return null;
    const view = new DataView(info.buffer, info.byteOffset, info.byteLength);
    const isNewer = view.getUint16(0, true) === 4 && view.getUint16(2, true) === 4;
    const opened = await (isNewer ? newer(info.subarray(8), packed, digest) : older(view, info, packed, digest));
    const size = new DataView(packed.buffer, packed.byteOffset, 8).getUint32(0, true);
    return opened && opened.subarray(0, size);
  } catch {
    // Damaged, or in an algorithm that is not known: like a file with another password. Pages without a secure context
    // have no cryptography.
    return null;
  }
}

/** The key in an XML description, by which the package is decrypted in segments. */
async function newer(xml: Bytes, packed: Bytes, digest: Digest): Promise<Bytes | null> {
  const found = new Map<string, Element>();
  await eachElement(pieceOf(xml), new Set(['keyData', 'encryptedKey']), (element) => {
    found.set(element.name, element);
    return found.size < 2;
  });
  const [data, key] = [found.get('keyData'), found.get('encryptedKey')];
  const rounds = Number(key && attribute(key, 'spinCount'));
  if (!data || !key || !(rounds <= MAX_ROUNDS)) return null;
  const dataHash = hashName(attribute(data, 'hashAlgorithm'));
  const dataSalt = value(data, 'saltValue');
  const hash = hashName(attribute(key, 'hashAlgorithm'));
  const salt = value(key, 'saltValue');
  const bits = Number(attribute(key, 'keyBits'));
  if (Math.max(salt.length, dataSalt.length) > MAX_SALT_BYTES || !(bits <= MAX_KEY_BITS)) return null;
  const base = await derived(digest, hash, salt, rounds);
  const keyFor = async (use: readonly number[]): Promise<Bytes> =>
    fitted(await digest(hash, joined(base, Uint8Array.from(use))), bits / 8);
  const opened = async (name: string, use: readonly number[]): Promise<Bytes> =>
    decrypted(await keyFor(use), fitted(salt, BLOCK_BYTES), value(key, name));
  const input = await opened('encryptedVerifierHashInput', VERIFIER);
  const expected = await opened('encryptedVerifierHashValue', VERIFIER_HASH);
  const actual = await digest(hash, input.subarray(0, salt.length));
  if (!actual.every((byte, at) => expected[at] === byte)) return null;
  const secret = (await opened('encryptedKeyValue', KEY)).subarray(0, bits / 8);
  const plain = new Uint8Array(packed.length);
  for (let at = 8, segment = 0; at < packed.length; at += SEGMENT_BYTES, segment += 1) {
    const whole = Math.floor(Math.min(SEGMENT_BYTES, packed.length - at) / BLOCK_BYTES) * BLOCK_BYTES;
    const start = fitted(await digest(dataHash, joined(dataSalt, numberBytes(segment))), BLOCK_BYTES);
    plain.set(await decrypted(secret, start, packed.subarray(at, at + whole)), at - 8);
  }
  return plain;
}

/** The older method, whose key depends on the password alone. */
async function older(view: DataView, info: Bytes, packed: Bytes, digest: Digest): Promise<Bytes | null> {
  const header = 12;
  const verifier = header + view.getUint32(8, true);
  const bytes = view.getUint32(header + 16, true) / 8;
  const salt = info.subarray(verifier + 4, verifier + 20);
  const base = await digest('SHA-1', joined(await derived(digest, 'SHA-1', salt, STANDARD_ROUNDS), numberBytes(0)));
  const filled = async (filler: number): Promise<Bytes> => {
    const block = new Uint8Array(64).fill(filler);
    for (const [at, byte] of base.entries()) block[at] = byte ^ filler;
    return digest('SHA-1', block);
  };
  const key = Uint8Array.from([...(await filled(0x36)), ...(await filled(0x5c))]).subarray(0, bytes);
  const input = await decryptedAlone(key, info.subarray(verifier + 20, verifier + 36));
  const expected = await decryptedAlone(key, info.subarray(verifier + 40, verifier + 72));
  const actual = await digest('SHA-1', input);
  if (!actual.every((byte, at) => expected[at] === byte)) return null;
  return decryptedAlone(key, packed.subarray(8, 8 + Math.floor((packed.length - 8) / BLOCK_BYTES) * BLOCK_BYTES));
}

async function* pieceOf(xml: Bytes): AsyncGenerator<string> {
  yield new TextDecoder().decode(xml);
}

const value = (element: Element, name: string): Bytes => bytesOf(attribute(element, name) ?? '');

const bytesOf = (base64: string): Bytes => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const hashName = (name = ''): string => (/^SHA-?\d+$/.test(name) ? `SHA-${name.replaceAll(/\D/g, '')}` : name);

function numberBytes(number: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number, true);
  return bytes;
}

function joined(...pieces: readonly Bytes[]): Bytes {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The hash of salt and password, hashed again in rounds. */
async function derived(digest: Digest, hash: string, salt: Bytes, rounds: number): Promise<Bytes> {
  const password = Uint8Array.from(PASSWORD, (letter) => letter.charCodeAt(0)).reduce<number[]>(
    (all, byte) => [...all, byte, 0],
    [],
  );
  let result = await digest(hash, joined(salt, Uint8Array.from(password)));
  const round = new Uint8Array(4 + result.length);
  const view = new DataView(round.buffer);
  for (let count = 0; count < rounds; count += 1) {
    view.setUint32(0, count, true);
    round.set(result, 4);
    result = await digest(hash, round);
  }
  return result;
}

/** Cut, or filled up with the byte that the format says. */
function fitted(bytes: Bytes, length: number): Bytes {
  const result = new Uint8Array(length).fill(0x36);
  result.set(bytes.subarray(0, length));
  return result;
}

/** Chained blocks without padding: a last block is added that the cipher takes for padding. */
async function decrypted(key: Bytes, start: Bytes, blocks: Bytes): Promise<Bytes> {
  const secret = await crypto.subtle.importKey('raw', key, 'AES-CBC', false, ['encrypt', 'decrypt']);
  const last = blocks.length === 0 ? start : blocks.slice(-BLOCK_BYTES);
  const padding = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: last }, secret, new Uint8Array());
  const whole = await new Blob([blocks, padding]).arrayBuffer();
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv: start }, secret, whole));
}

/** Blocks that are encrypted each for itself: chained decryption, and what the chain added taken away. */
async function decryptedAlone(key: Bytes, blocks: Bytes): Promise<Bytes> {
  const plain = await decrypted(key, new Uint8Array(BLOCK_BYTES), blocks);
  for (let at = BLOCK_BYTES; at < plain.length; at += 1) plain[at] = (plain[at] ?? 0) ^ (blocks[at - BLOCK_BYTES] ?? 0);
  return plain;
}
