/** Bytes at the beginning that say how a part is encoded. */
const START_BYTES = 256;

/** The text of an XML part in pieces. Its first bytes say its encoding; without any, it is UTF-8. */
export async function* xmlText(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let start: Uint8Array<ArrayBuffer> | undefined = new Uint8Array();
  let decoder = new TextDecoder();
  for await (const piece of pieces) {
    if (start) {
      const longer: Uint8Array<ArrayBuffer> = new Uint8Array(start.length + piece.length);
      longer.set(start);
      longer.set(piece, start.length);
      start = longer;
      if (start.length < START_BYTES) continue;
      decoder = new TextDecoder(encodingOf(start.subarray(0, START_BYTES)));
      yield decoder.decode(start, { stream: true });
      start = undefined;
    } else yield decoder.decode(piece, { stream: true });
  }
  if (start) decoder = new TextDecoder(encodingOf(start.subarray(0, START_BYTES)));
  yield decoder.decode(start ?? new Uint8Array());
}

const declarationInXml = (ascii: string): string | undefined =>
  /\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(ascii.split('?>', 1)[0] ?? '')?.[1];

/** The encoding of XML or HTML that begins with these bytes, by its mark, its zeros, or the label that it declares. */
export function encodingOf(start: Uint8Array, declared = declarationInXml): string {
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  try {
    const { encoding } = new TextDecoder(declared(new TextDecoder('latin1').decode(start)) ?? 'utf-8');
    // A declaration that can be read byte by byte is not in UTF-16.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return 'utf-8';
  }
}
