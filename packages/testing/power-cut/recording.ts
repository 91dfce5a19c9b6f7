/** What a client has learned from the service, and so may rely on. */
export type Received =
  /** The text of an answer or of a frame. */
  | { by: string; text: string }
  /** The answer to markRead or deleteMessages, which does not repeat what was done. */
  | { by: string; read: { chatId: string; position: number } }
  | { by: string; deleted: string };

/** One record, in the order in which the events happened. */
export type Happened =
  | { kind: 'open'; fd: number; name: string }
  | { kind: 'write'; fd: number; at: number; bytes: Buffer }
  | { kind: 'truncate'; fd: number; size: number }
  | { kind: 'flush'; fd: number; flush: number }
  | { kind: 'flushed'; fd: number; flush: number }
  | { kind: 'unlink'; name: string }
  | { kind: 'rename' | 'link'; from: string; to: string }
  | { kind: 'received'; received: Received };

// The layout of `struct head` in recorder.c.
const HEAD_BYTES = 24;
const RECEIVED = 9;

/** A record of what a client has received; appended by one write, so that it is never mixed with another. */
export function encodeReceived(received: Received): Buffer {
  const text = Buffer.from(JSON.stringify(received));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(RECEIVED, 4);
  return Buffer.concat([head, text]);
}

export function readRecording(file: Buffer): Happened[] {
  const all: Happened[] = [];
  for (let at = 0; at < file.length;) {
    const size = file.readUInt32LE(at);
    const body = file.subarray(at + HEAD_BYTES, at + HEAD_BYTES + size);
    all.push(decode(file.subarray(at, at + HEAD_BYTES), body));
    at += HEAD_BYTES + size;
  }
  return all;
}

function decode(head: Buffer, body: Buffer): Happened {
  const kind = head.readUInt32LE(4);
  const fd = head.readInt32LE(8);
  const flush = head.readUInt32LE(12);
  const at = Number(head.readBigInt64LE(16));
  switch (kind) {
    case 1:
      return { kind: 'open', fd, name: body.toString() };
    case 2:
      return { kind: 'write', fd, at, bytes: body };
    case 3:
      return { kind: 'truncate', fd, size: at };
    case 4:
      return { kind: 'flush', fd, flush };
    case 5:
      return { kind: 'flushed', fd, flush };
    case 6:
      return { kind: 'unlink', name: body.toString() };
    case 7:
    case 8: {
      const [from = '', to = ''] = body.toString().split('\0');
      return { kind: kind === 7 ? 'rename' : 'link', from, to };
    }
    case RECEIVED:
      return { kind: 'received', received: JSON.parse(body.toString()) as Received }; // from `encodeReceived`
    default:
      throw new Error(`the recording has a record of kind ${kind}`);
  }
}
