import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import pino from 'pino';
import { expect, test } from 'vitest';
import { refusedEmbedderLogger } from './origins.ts';

test('WIDGET-3: each refused origin is logged once with the variable that allows it, and after 100 at most one in 10 s', async () => {
  const lines: { level: number; origin: string; msg: string }[] = [];
  const clock = new ManualClock();
  const log = refusedEmbedderLogger(pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }), clock);
  for (const origin of ['https://a.example', 'https://b.example', 'https://a.example']) log(origin);
  expect(lines).toMatchObject([
    { level: 40, origin: 'https://a.example', msg: expect.stringContaining('WIDGET_ORIGINS') },
    { origin: 'https://b.example' },
  ]);
  for (const text of ['', 'null', 'nonsense', 'https://a.example/path', `https://${'a'.repeat(300)}.example`])
    log(text);
  expect(lines).toHaveLength(2);
  for (let at = 0; at < 98; at += 1) log(`https://${at}.example`);
  expect(lines).toHaveLength(100);
  // Nobody can silence it with origins that they make up.
  for (let at = 98; at < 200; at += 1) log(`https://${at}.example`);
  expect(lines).toHaveLength(101);
  await clock.advance(10_000);
  log('https://shop.example');
  expect(lines.at(-1)).toMatchObject({ origin: 'https://shop.example', unsaid: 101 });
  expect(lines).toHaveLength(102);
});
