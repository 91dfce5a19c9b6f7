import { locale } from './language.ts';

const inUnit = (unit: string, unitDisplay: 'short' | 'long', decimals: number): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });

const bytesFormat = inUnit('byte', 'long', 0);
const formats = ['kilobyte', 'megabyte', 'gigabyte'].map((unit) => ({
  exact: inUnit(unit, 'short', 1),
  round: inUnit(unit, 'short', 0),
}));

/** For example "1.4 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return bytesFormat.format(bytes);
  let [size, at] = [bytes / 1000, 0];
  for (; size >= 999.5 && at < formats.length - 1; at += 1) size /= 1000;
  return formats[at]?.[size < 9.95 ? 'exact' : 'round'].format(size) ?? '';
}
