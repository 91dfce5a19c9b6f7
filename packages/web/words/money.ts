import type { Price } from '@parley/protocol';
import { locale } from './language.ts';

const MICROS = 1_000_000;
const MAX_DECIMALS = 6;

const formats = new Map<string, Intl.NumberFormat>();

/** At least as many decimals as the currency has, and for small amounts as many as show two digits. */
function formatOf(currency: string, decimals: number): Intl.NumberFormat {
  const name = `${currency} ${decimals}`;
  let format = formats.get(name);
  if (!format) {
    const style = { style: 'currency', currency } as const;
    const usual = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2;
    format = new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: Math.max(usual, decimals) });
    formats.set(name, format);
  }
  return format;
}

function amount({ currency, micros }: Price): string {
  const value = micros / MICROS;
  const decimals = value > 0 && value < 1 ? Math.min(MAX_DECIMALS, 1 - Math.floor(Math.log10(value))) : 0;
  return formatOf(currency, decimals).format(value);
}

/** Amounts in the reader's language, such as "$0.0012"; those in different currencies are not added. */
export const money = (prices: readonly Price[]): string => prices.map(amount).join(' + ');

/** The mean of what several things have cost; empty if that is not known, or in several currencies. */
export function meanOfPrices(all: readonly (readonly Price[])[], count = all.length): readonly Price[] {
  const [sum, ...others] = sumOfPrices(all);
  if (!sum || others.length > 0 || count === 0) return [];
  return [{ currency: sum.currency, micros: Math.round(sum.micros / count) }];
}

/** The sum of several prices, by currency. */
export function sumOfPrices(all: readonly (readonly Price[])[]): readonly Price[] {
  const sums = new Map<string, number>();
  for (const { currency, micros } of all.flat()) sums.set(currency, (sums.get(currency) ?? 0) + micros);
  return Array.from(sums, ([currency, micros]) => ({ currency, micros }));
}
