/** How a cell shows its number. */
export type NumberFormat =
  | { readonly type: 'general' }
  | { readonly type: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** Hours and minutes, which may be more than a day. */
  | { readonly type: 'elapsed' }
  | { readonly type: 'fixed'; readonly decimals: number; readonly isPercent: boolean };

const general: NumberFormat = { type: 'general' };

/** Formats that files name by a number without describing them, except the general one. */
const builtIn: Readonly<Record<string, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'yyyy-mm-dd',
  16: 'yyyy-mm-dd',
  17: 'yyyy-mm-dd',
  18: 'hh:mm',
  19: 'hh:mm',
  20: 'hh:mm',
  21: 'hh:mm',
  22: 'yyyy-mm-dd hh:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: 'h:mm:ss',
  47: 'mm:ss',
};

/** What a format code, or the number of one, says of days, percents and decimals. */
export function numberFormat(id: string, codes: ReadonlyMap<string, string>): NumberFormat {
  const code = codes.get(id) ?? (Object.hasOwn(builtIn, id) ? builtIn[id] : undefined);
  if (code === undefined || /^general$/i.test(code)) return general;
  // Texts in the format, colours and conditions are no part of it; after a semicolon it is that of negative numbers.
  const [plain = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\])[^\]]*\]/gi, '').split(';', 1);
  if (/\[h+\]/i.test(plain)) return { type: 'elapsed' };
  if (/[ymdhs]/i.test(plain)) {
    const hasTime = /[hs]/i.test(plain);
    return { type: 'date', hasTime, hasDate: /[yd]/i.test(plain) || !hasTime };
  }
  if (!/[0#?]/.test(plain)) return general;
  const decimals = Math.min(10, /\.([0#?]+)/.exec(plain)?.[1]?.length ?? 0);
  return { type: 'fixed', decimals, isPercent: plain.includes('%') };
}

const DAY_MS = 86_400_000;
/** Day 0, and that of files of old Macs. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
/** After it, in the year 9999, there are no days. */
const MOST_DAYS = 2_958_466;

/** A number as text: days and times as ISO 8601 writes them, for every language. */
export function formatNumber(value: number, format: NumberFormat, is1904: boolean): string {
  if (format.type === 'fixed') {
    if (Math.abs(value) >= 1e21) return String(value);
    return format.isPercent ? `${(value * 100).toFixed(format.decimals)}%` : value.toFixed(format.decimals);
  }
  // Sums of decimal fractions are not exact.
  if (format.type === 'general' || value < 0 || value >= MOST_DAYS) return String(Number(value.toPrecision(15)));
  if (format.type === 'elapsed') {
    const minutes = Math.round(value * 1_440);
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  }
  const ms = (is1904 ? EPOCH_1904_MS : EPOCH_MS) + Math.round((value * DAY_MS) / 1_000) * 1_000;
  const text = new Date(ms).toISOString();
  const [day, time] = [text.slice(0, 10), text.slice(11, 19).replace(/:00$/, '')];
  return [...(format.hasDate ? [day] : []), ...(format.hasTime ? [time] : [])].join(' ');
}
