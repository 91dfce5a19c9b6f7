import { expect, test } from 'vitest';
import { linksIn } from './links-in.ts';

test('the links of a text, each once, without those in code and mail addresses', () => {
  const text =
    'see https://a.example/x and [b](https://b.example), https://a.example/x, `https://c.example`, me@d.example';
  expect(linksIn(text)).toEqual([
    { url: 'https://a.example/x', text: 'https://a.example/x' },
    { url: 'https://b.example/', text: 'b' },
  ]);
});
