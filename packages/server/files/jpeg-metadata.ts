const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const [APP0, APP2, APP14, APP15] = [0xe0, 0xe2, 0xee, 0xef];
const COMMENT = 0xfe;

/** The only application segments needed to show the image: its colours and how they are coded. */
const kept: readonly (readonly [marker: number, name: string])[] = [
  [APP0, 'JFIF\0'],
  [APP2, 'ICC_PROFILE\0'],
  [APP14, 'Adobe'],
];

/**
 * Returns a JPEG without data about place, device and time: no Exif, XMP, IPTC or comments, and nothing after its end,
 * where phones append further images with metadata of their own. The pixels are not decoded, so they stay the same.
 * `orientation` is written as new Exif. Returns undefined if the image is incomplete (FILE-16).
 */
export function withoutMetadata(bytes: Buffer, orientation: number): Buffer | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined;
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  let isTurned = orientation === 1;
  let at = 2;
  for (;;) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return undefined;
    if (marker === 0xff) {
      // A fill byte.
      at += 1;
      continue;
    }
    if (marker === EOI) return Buffer.concat([...parts, bytes.subarray(at, at + 2)]);
    const end = at + 2 + (at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0);
    if (end < at + 4 || end > bytes.length) return undefined;
    if (!isTurned && marker !== APP0) {
      parts.push(orientedExif(orientation));
      isTurned = true;
    }
    if (isKept(marker, bytes.subarray(at + 4, end))) parts.push(bytes.subarray(at, end));
    at = end;
    if (marker === SOS) {
      at = endOfScan(bytes, end);
      parts.push(bytes.subarray(end, at));
    }
  }
}

function isKept(marker: number, content: Buffer): boolean {
  if (marker === COMMENT) return false;
  if (marker < APP0 || marker > APP15) return true;
  return kept.some(([one, name]) => one === marker && content.toString('latin1', 0, name.length) === name);
}

/** The offset of the next marker. In coded pixels 0xff is followed by 0 or by a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0xff;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/** Exif with only the orientation. */
function orientedExif(orientation: number): Buffer {
  const exif = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010000000000000000', 'hex');
  exif.writeUInt16BE(orientation, exif.length - 8);
  return exif;
}
