// What the service and the process that runs code send each other through a pipe: one JSON text and the bytes of files.
// No messages of Node's own: they would be read without a limit.

/** Bytes of the two lengths at the beginning. */
const HEAD = 8;

interface FrameFile {
  name: string;
  bytes: Uint8Array;
  /** Of the text in a file, or of a picture. */
  words?: string | undefined;
}

/** One frame, in pieces: the lengths of the whole and of the JSON text, that text, and the bytes of all files. */
export function frameOf(facts: object, files: readonly FrameFile[]): Uint8Array[] {
  const named = files.map(({ name, bytes, words }) => ({ name, size: bytes.length, words }));
  const json = Buffer.from(JSON.stringify({ ...facts, files: named }));
  const head = Buffer.alloc(HEAD);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, HEAD + json.length);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(json.length, 4);
  return [head, json, ...files.map(({ bytes }) => bytes)];
}

/** What a whole frame contains; throws if it is none. */
export function readFrame(frame: Buffer): { facts: Record<string, unknown>; files: FrameFile[] } {
  if (frame.length < HEAD || frame.readUInt32BE(0) !== frame.length) throw new Error('not a whole frame');
  const end = HEAD + frame.readUInt32BE(4);
  const facts = JSON.parse(frame.subarray(HEAD, end).toString()) as Record<string, unknown>; // every frame is an object
  let at = end;
  const files = (facts['files'] as Record<string, unknown>[]).map(({ name, size, words }) => {
    if (typeof name !== 'string' || typeof size !== 'number' || !(size >= 0) || at + size > frame.length)
      throw new Error('not a frame');
    at += size;
    return { name, bytes: frame.subarray(at - size, at), words: typeof words === 'string' ? words : undefined };
  });
  return { facts, files };
}
