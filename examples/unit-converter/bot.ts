import { createBot } from '@parley/client/bot';

// Type `@ann:units 10 km` without sending it to see suggestions in other units.
const families: Readonly<Record<string, number>>[] = [
  { mm: 0.001, cm: 0.01, m: 1, km: 1_000, in: 0.0254, ft: 0.3048, yd: 0.9144, mi: 1_609.344 },
  { g: 0.001, kg: 1, t: 1_000, oz: 0.028_349_523_125, lb: 0.453_592_37 },
  { ml: 0.001, l: 1, gal: 3.785_411_784, cup: 0.236_588_236_5 },
];

/** Converts `10 km` to all units of its family, or `10 km in mi` to one unit. */
function convert(query: string): string[] {
  const [, digits = '', from = '', to] =
    /^\s*(-?\d+(?:[.,]\d+)?)\s*([a-z]+)(?:\s+(?:to|in)\s+([a-z]+))?\s*$/i.exec(query) ?? [];
  const amount = Number(digits.replace(',', '.'));
  const unit = from.toLowerCase();
  const family = families.find((units) => Object.hasOwn(units, unit));
  const factor = family?.[unit];
  if (digits === '' || !family || factor === undefined) return [];
  return Object.entries(family)
    .filter(([name]) => (to === undefined ? name !== unit : name === to.toLowerCase()))
    .map(([name, size]) => `${amount} ${unit} = ${Number(((amount * factor) / size).toPrecision(6))} ${name}`);
}

const bot = createBot();
bot.inline((query) => convert(query));
bot.on('message', (ctx) => ctx.reply(convert(ctx.text).join('\n') || 'Try `10 km` or `5 lb in kg`.'));
await bot.start();
