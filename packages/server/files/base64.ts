/** Encodes bytes as base64 in ASCII, piece by piece, so that no tick of the event loop encodes a whole file. */
export async function base64Of(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const encoded: Buffer[] = [];
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    encoded.push(Buffer.from(bytes.toString('base64', 0, whole), 'latin1'));
    rest = bytes.subarray(whole);
  }
  encoded.push(Buffer.from(Buffer.from(rest).toString('base64'), 'latin1'));
  return Buffer.concat(encoded);
}

/** The length of the base64 of so many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;
