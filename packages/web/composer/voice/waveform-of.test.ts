import { expect, test } from 'vitest';
import { waveformOf } from './waveform-of.ts';

const bytesOf = (waveform: string) => [...Buffer.from(waveform, 'base64')];

test('a waveform has 64 bytes, in proportion to the loudest piece', () => {
  const rising = Float32Array.from(
    { length: 6_400 },
    (_, at) => ((at % 2 === 0 ? 1 : -1) * Math.floor(at / 100)) / 126,
  );
  const bytes = bytesOf(waveformOf(rising));
  expect(bytes).toHaveLength(64);
  expect([bytes[0], bytes[32], bytes[63]]).toEqual([0, Math.round((32 / 63) * 255), 255]);
});

test('silence, and less than a sample for each piece, have a waveform too', () => {
  expect(bytesOf(waveformOf(new Float32Array(1_000)))).toEqual(Array.from({ length: 64 }, () => 0));
  expect(bytesOf(waveformOf(new Float32Array(0)))).toHaveLength(64);
  expect(Math.max(...bytesOf(waveformOf(Float32Array.of(0.5))))).toBe(255);
});
