import { expect, test } from 'vitest';
import { soundType } from './sound-type.ts';

const codec = (id: string) => `\x86${String.fromCodePoint(0x80 + id.length)}${id}`;
const handler = (kind: string) => `hdlr${'\0'.repeat(8)}${kind}`;

test.each([
  ['video/webm', `…${codec('A_OPUS')}…`, 'audio/webm'],
  ['video/webm', `…${codec('V_VP9')}…${codec('A_OPUS')}`, 'video/webm'],
  ['video/webm', '…', 'video/webm'],
  ['video/mp4', `moov${handler('soun')}`, 'audio/mp4'],
  ['video/mp4', `moov${handler('vide')}${handler('soun')}`, 'video/mp4'],
  ['video/mp4', `moov${handler('soun')}${handler('vide')}`, 'video/mp4'],
  ['video/quicktime', handler('soun'), 'video/quicktime'],
])('FILE-25: %s with %j is %s', (type, start, expected) => {
  expect(soundType(type, Buffer.from(start, 'latin1'))).toBe(expected);
});
