/** How a cell shows its number. */
export type NumberFormat =
  | { readonly type: 'general' }
  | { readonly type: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** A duration in hours and minutes, which may exceed a day. */
  | { readonly type: 'elapsed' }
  | { readonly type: 'fixed'; readonly decimals: number; readonly isPercent: boolean };

const general: NumberFormat = { type: 'general' };

/** Excel's built-in formats by id, without the general one. Files use them without a code. */
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

/** Maximum characters that are read of a format's code, as in Excel: the time to read a code grows with its square. */
const MOST_CODE = 255;

/** The format with this id: the file's own code, or Excel's built-in one. */
export function numberFormat(id: string, codes: ReadonlyMap<string, string>): NumberFormat {
  const code = codes.get(id)?.slice(0, MOST_CODE) ?? (Object.hasOwn(builtIn, id) ? builtIn[id] : undefined);
  if (code === undefined || /^general$/i.test(code)) return general;
  // Drop quoted texts, colours and conditions, and the codes after a semicolon, which are for negative numbers.
  const [plain = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\])[^[\]]*\]/gi, '').split(';', 1);
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
/** Day 0, and day 0 in files of Excel for old Macs. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
/** Excel's number for 10000-01-01. Its last valid day is the one before. */
const MOST_DAYS = 2_958_466;

/** A number as text. Days and times are in ISO 8601, which people read in every language. */
export function formatNumber(value: number, format: NumberFormat, is1904: boolean): string {
  if (format.type === 'fixed') {
    if (Math.abs(value) >= 1e21) return String(value);
    return format.isPercent ? `${(value * 100).toFixed(format.decimals)}%` : value.toFixed(format.decimals);
  }
  // 15 digits, as Excel shows: sums of decimal fractions are not exact.
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
