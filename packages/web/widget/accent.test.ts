import { readFileSync } from 'node:fs';
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

/** The surfaces of the light and the dark theme. `--own`, behind the user's messages, is the soft background here. */
const surfaces = ['paper', 'surface', 'surface-sunk', 'surface-raised'].map((name) => {
  const tokens = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
  const found = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(tokens);
  return [found?.[1] ?? '', found?.[2] ?? ''].map((hex) => {
    const [red = NaN, green = NaN, blue = NaN] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    return [red, green, blue] satisfies Color;
  });
});

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
        for (const surface of surfaces)
          expect(contrast(color, surface[theme] ?? [0, 0, 0])).toBeGreaterThanOrEqual(4.5);
      }
    }),
    // Its soft background is not lighter than the lightest surface of the dark theme.
    { examples: [[0xf805fe]] },
  );
});
