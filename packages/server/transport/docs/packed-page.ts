import { hash } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A page that is compressed but for the service's address, so that an address costs no compression (API-18). */
export interface PackedPage {
  /** Of the page whatever the address is. */
  readonly hash: string;
  /** What stands before, between and behind the occurrences of the address. */
  readonly pieces: readonly { readonly plain: Uint8Array; readonly packed: Uint8Array }[];
}

/** A page at one address. */
interface AddressedPage {
  readonly etag: string;
  readonly plain: readonly Uint8Array[];
  /** As gzip. */
  readonly packed: () => readonly Uint8Array[];
}

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The last block of a deflate stream, without content. */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);

/** Splits a page at `address` and compresses its pieces, each for itself. */
export function packPage(text: string, address: string): PackedPage {
  const pieces = text.split(address).map((piece) => {
    const plain = Buffer.from(piece);
    // Ends on a whole byte and refers to nothing before: pieces can follow each other with anything in between.
    return { plain, packed: deflateRawSync(plain, { level: 9, finishFlush: constants.Z_FULL_FLUSH }) };
  });
  return { hash: hash('sha256', text).slice(0, 16), pieces };
}

export function atAddress({ hash: ofPage, pieces }: PackedPage, address: string): AddressedPage {
  const inserted = Buffer.from(address);
  const plain = joined(
    pieces.map((piece) => piece.plain),
    inserted,
  );
  return {
    etag: `W/"${pieces.length === 1 ? ofPage : hash('sha256', `${ofPage} ${address}`).slice(0, 16)}"`,
    plain,
    packed: () => [
      GZIP_HEAD,
      ...joined(
        pieces.map((piece) => piece.packed),
        stored(inserted),
      ),
      LAST_BLOCK,
      gzipTail(plain),
    ],
  };
}

const joined = (pieces: readonly Uint8Array[], between: Uint8Array): Uint8Array[] =>
  pieces.flatMap((piece, at) => (at === 0 ? [piece] : [between, piece]));

/** A deflate block that stores the bytes as they are. */
function stored(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(0xffff - bytes.length, 3);
  return Buffer.concat([head, bytes]);
}

/** The checksum and the length with which gzip ends. */
function gzipTail(plain: readonly Uint8Array[]): Buffer {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(
    plain.reduce((sum, piece) => crc32(piece, sum), 0),
    0,
  );
  tail.writeUInt32LE(lengthOf(plain), 4);
  return tail;
}

export const lengthOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
