import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentOf, contrast } from './accent.ts';

type Color = [number, number, number];
const colorsIn = (text: string): Color[] =>
  [...text.matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map(([, red, green, blue]) => [
    Number(red),
    Number(green),
    Number(blue),
  ]);

test('WIDGET-10: a readable accent is taken as it is; what is no colour is ignored', () => {
  expect(accentOf('#0a58ca')?.accent).toMatch(/^light-dark\(rgb\(10 88 202\), /);
  for (const text of ['', 'blue', '#fff', '#12345', '#1234567', 'red;}', '#gggggg']) expect(accentOf(text)).toBeNull();
});

test('WIDGET-10: whatever the accent is, text in it and text on it can be read in both themes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      const made = accentOf(`#${value.toString(16).padStart(6, '0')}`);
      const [accent, ink, soft] = [made?.accent, made?.ink, made?.soft].map((text) => colorsIn(text ?? ''));
      for (const theme of [0, 1]) {
        const [color, on, under] = [accent, ink, soft].map((colors): Color => colors?.[theme] ?? [0, 0, 0]);
        if (!color || !on || !under) throw new Error('a colour is missing');
        expect(contrast(color, under)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(color, on)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(color, theme === 0 ? [255, 255, 255] : [31, 32, 29])).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});
