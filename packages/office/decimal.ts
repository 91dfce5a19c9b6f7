/** A number without its sign: its first digits, and how many of them stand before the point. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** The 15 digits that Excel keeps of a number: sums of binary fractions are not exact. */
export function decimalOf(value: number): Decimal {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential(14).split('e');
  return { digits: digits.replace('.', ''), point: Number(exponent) + 1 };
}

/** The number times a power of ten. */
export const scaled = ({ digits, point }: Decimal, by: number): Decimal => ({ digits, point: point + by });

export const isZero = ({ digits }: Decimal): boolean => /^0*$/.test(digits);

/** The digits before and after the point, rounded to this many after it. There are no zeros in front. */
export function rounded({ digits, point }: Decimal, decimals: number): { whole: string; fraction: string } {
  const kept = point + decimals;
  const first = kept < 0 ? '' : digits.slice(0, kept).padEnd(kept, '0');
  const isUp = kept >= 0 && digits.charAt(kept) >= '5';
  const text = String(BigInt(first === '' ? 0 : first) + (isUp ? 1n : 0n)).padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  return { whole: whole === '0' ? '' : whole, fraction: text.slice(text.length - decimals) };
}
