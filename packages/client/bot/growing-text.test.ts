import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingText } from './growing-text.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

test('BOTSDK-5: the pieces joined are the text, and no piece splits a character, however the input is split', () => {
  const units = fc.array(
    fc.oneof(fc.constantFrom('a', 'é', '\uD83D', '\uDE00', '😀', '\uFEFF'), fc.string({ unit: 'grapheme' })),
  );
  fc.assert(
    fc.property(units, fc.integer({ min: 2, max: 7 }), (chunks, most) => {
      const text = new GrowingText(1_000_000);
      let sent = '';
      const send = (): void => {
        while (text.hasUnsent) {
          const piece = text.next(most);
          expect(piece.delta.isWellFormed()).toBe(true);
          expect(piece.delta).not.toBe('');
          sent += piece.delta;
          expect(piece.offset).toBe(bytes(sent));
          text.sent(piece);
        }
      };
      for (const chunk of chunks) {
        text.push(chunk);
        send();
      }
      text.end();
      send();
      expect(sent).toBe(chunks.join('').toWellFormed());
      expect([text.text, text.bytes]).toEqual([sent, bytes(sent)]);
    }),
  );
});

test('BOTSDK-6: can resume from any byte offset at which a character ends', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 3 })), fc.nat(), (parts, at) => {
      const whole = parts.join('');
      const text = new GrowingText(1_000_000);
      text.push(whole);
      const known = parts.slice(0, at % (parts.length + 1)).join('');
      expect(text.continueFrom(bytes(known))).toBe(true);
      expect(text.next(1_000_000).delta).toBe(whole.slice(known.length));
      expect(text.continueFrom(bytes(whole) + 1)).toBe(false);
    }),
  );
});

test('BOTSDK-5: is cut at its limit, between characters', () => {
  const text = new GrowingText(10);
  expect(text.push('1234567')).toBe(true);
  expect(text.push('😀')).toBe(false);
  expect(text.text).toBe('1234567');
  expect(text.push('89012')).toBe(false);
  expect(text.text).toBe('1234567890');
});
