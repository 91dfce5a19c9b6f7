import { expect, test } from 'vitest';
import { ConfigError } from '../../core/config-error.ts';
import { readAgentPrices } from './agent-prices.ts';

const read = (text: string | undefined) => readAgentPrices((name) => (name === 'AGENT_PRICES' ? text : undefined));
const models = (input: unknown, output: unknown = 0) =>
  JSON.stringify({ currency: 'USD', models: { m: { input, output } } });

test('CONFIG-25: prices are read into whole millionths; without the variable there are none', () => {
  expect(read(undefined).size).toBe(0);
  const text = '{"currency":"EUR","models":{"gpt-x":{"input":2.5,"output":10},"claude: a":{"input":0.075,"output":0}}}';
  expect([...read(text)]).toEqual([
    ['gpt-x', { currency: 'EUR', input: 2_500_000, output: 10_000_000 }],
    ['claude: a', { currency: 'EUR', input: 75_000, output: 0 }],
  ]);
  expect(read('{"currency":"USD","models":{}}').size).toBe(0);
  expect(read(models(1_000_000, 0.000001)).get('m')).toEqual({ currency: 'USD', input: 1e12, output: 1 });
});

test.each([
  ['2.5', /it: Invalid input/],
  ['{', /it is not JSON/],
  ['{"models":{}}', /currency: /],
  ['{"currency":"$","models":{}}', /currency: must be three capital letters/],
  ['{"currency":"USD"}', /models: /],
  ['{"currency":"USD","models":{},"more":1}', /more/],
  ['{"currency":"USD","models":{"":{"input":1,"output":1}}}', /models/],
  ['{"currency":"USD","models":{"m":{"input":1}}}', /models → m → output/],
  [models('1'), /models → m → input/],
  [models(-1), /models → m → input: must be from 0 to 1000000/],
  [models(1, 1_000_001), /models → m → output: must be from 0 to 1000000/],
  [models(1.000_000_1), /models → m → input: has more than 6 decimals/],
])('CONFIG-25: AGENT_PRICES=%s stops the start, and says why', (text, problem) => {
  expect(() => read(text)).toThrow(ConfigError);
  expect(() => read(text)).toThrow(problem);
  expect(() => read(text)).toThrow(/^AGENT_PRICES must be like \{"currency"/);
});
