import { expect, test } from 'vitest';
import { frameKind, kindPeekBytes } from './frame-kind.ts';
import { FrameWalker } from './frame-walker.ts';

function serverFrame(text: string, opcode = 1): Buffer {
  const payload = Buffer.from(text);
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]);
  const long = payload.length >= 65_536;
  const header = Buffer.alloc(long ? 10 : 4);
  header[0] = 0x80 | opcode;
  header[1] = long ? 127 : 126;
  if (long) header.writeUInt32BE(payload.length, 6);
  else header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

const texts = [
  '{"id":1,"ok":true}',
  `{"method":"events.messageNew","params":{"content":"${'a'.repeat(300)}"}}`,
  '',
  '{"method":"events.hello","params":{}}',
  `{"method":"events.messageDelta","params":{"delta":"${'b'.repeat(70_000)}"}}`,
  '{"id":1234567890,"ok":false,"error":{"code":"forbidden"}}',
];

function walkInPieces(stream: Buffer, pieceBytes: number): { kinds: string[]; lengths: number[] } {
  const kinds: string[] = [];
  const lengths: number[] = [];
  const walker = new FrameWalker(kindPeekBytes, {
    frame(_opcode, payloadBytes, buffer, at) {
      kinds.push(frameKind(buffer, at, payloadBytes));
      lengths.push(payloadBytes);
    },
  });
  for (let from = 0; from < stream.length; from += pieceBytes) {
    // Each piece has its own buffer, like reads from the network.
    const piece = Buffer.from(stream.subarray(from, from + pieceBytes));
    walker.walk(piece, 0, piece.length);
  }
  return { kinds, lengths };
}

test('every frame is counted once, wherever the network splits the stream', () => {
  const stream = Buffer.concat([...texts, ...texts].map((text) => serverFrame(text)));
  const kinds = ['ack', 'message', 'unknown', 'hello', 'delta', 'refusal'];
  const lengths = texts.map((text) => Buffer.byteLength(text));
  for (const pieceBytes of [1, 2, 3, 7, 39, 40, 41, 64, 127, 1_000, 65_536, stream.length]) {
    expect(walkInPieces(stream, pieceBytes)).toEqual({
      kinds: [...kinds, ...kinds],
      lengths: [...lengths, ...lengths],
    });
  }
});

test('events with similar names are distinguished', () => {
  const kinds = ['messageDeleted', 'messageDraftPatch', 'messageComplete', 'typing', 'messageDelta', 'messageNew'].map(
    (name) => {
      const payload = Buffer.from(`{"method":"events.${name}","params":{}}`);
      return frameKind(payload, 0, payload.length);
    },
  );
  expect(kinds).toEqual(['event', 'event', 'event', 'event', 'delta', 'message']);
});
