import { type Decimal, isZero, rounded, scaled } from './decimal.ts';
import type { Token } from './number-code.ts';

/** A number without its sign, as a section that is no date shows it. `asGeneral` gives it without a format. */
export function numberText(value: Decimal, tokens: readonly Token[], asGeneral: () => string): string {
  const percents = tokens.filter(({ type }) => type === 'percent').length;
  const shown = scaled(value, 2 * percents);
  const slash = tokens.findIndex(({ type }) => type === 'slash');
  if (slash > 0 && tokens[slash - 1]?.type === 'digit') return fractionText(shown, tokens, slash);
  const exponent = tokens.findIndex(({ type }) => type === 'exponent');
  if (exponent !== -1) return scientificText(shown, tokens, exponent);
  return placed(shown, tokens, asGeneral);
}

const isDigit = ({ type }: Token): boolean => type === 'digit';
const literal = (token: Token, asGeneral: () => string): string => {
  if (token.type === 'text') return token.text;
  if (token.type === 'percent') return '%';
  if (token.type === 'slash') return '/';
  return token.type === 'general' || token.type === 'value' ? asGeneral() : '';
};

/** The digits of a number at the places of a section. Commas behind the last digit before the point divide by 1,000. */
function placed(value: Decimal, tokens: readonly Token[], asGeneral: () => string): string {
  const point = tokens.findIndex(({ type }) => type === 'point');
  const before = point === -1 ? tokens : tokens.slice(0, point);
  const after = point === -1 ? [] : tokens.slice(point + 1);
  const first = before.findIndex(isDigit);
  const last = before.findLastIndex(isDigit);
  if (first === -1 && !after.some(isDigit)) return tokens.map((token) => literal(token, asGeneral)).join('');
  const commas = [...before.slice(last + 1), ...after.slice(after.findLastIndex(isDigit) + 1)];
  const thousands = commas.filter(({ type }) => type === 'comma').length;
  const isGrouped = before.slice(Math.max(0, first), last).some(({ type }) => type === 'comma');
  const { whole, fraction } = rounded(scaled(value, -3 * thousands), after.filter(isDigit).length);
  return `${wholeText(whole, before, isGrouped)}${point === -1 ? '' : '.'}${decimalsText(fraction, after)}`;
}

/** The digits before the point, from the right: the first place takes all that are left. */
function wholeText(digits: string, tokens: readonly Token[], isGrouped: boolean): string {
  const first = tokens.findIndex(isDigit);
  const pieces: string[] = [];
  let left = digits.length;
  let count = 0;
  const add = (digit: string): void => {
    if (isGrouped && count > 0 && count % 3 === 0 && digit !== '' && digit !== ' ') pieces.push(',');
    count += 1;
    pieces.push(digit);
  };
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token?.type !== 'digit') {
      if (token && token.type !== 'comma') pieces.push(literal(token, () => ''));
      continue;
    }
    if (left > 0) add(digits.charAt((left -= 1)));
    else if (token.text !== '#') add(token.text === '0' ? '0' : ' ');
    if (at === first) while (left > 0) add(digits.charAt((left -= 1)));
  }
  // Without a place for them they stand before the point.
  if (first === -1) pieces.unshift(digits);
  return pieces.toReversed().join('');
}

function decimalsText(digits: string, tokens: readonly Token[]): string {
  const shown = digits.replace(/(?<!0)0+$/, '').length;
  let at = 0;
  return tokens
    .map((token) => {
      if (token.type !== 'digit') return token.type === 'comma' ? '' : literal(token, () => '');
      at += 1;
      if (at <= shown || token.text === '0') return digits.charAt(at - 1);
      return token.text === '?' ? ' ' : '';
    })
    .join('');
}

/** With several digits before the point, the exponent is a multiple of their number, as in engineering notation. */
function scientificText(value: Decimal, tokens: readonly Token[], at: number): string {
  const mantissa = tokens.slice(0, at);
  const point = mantissa.findIndex(({ type }) => type === 'point');
  const places = Math.max(1, (point === -1 ? mantissa : mantissa.slice(0, point)).filter(isDigit).length);
  const decimals = point === -1 ? 0 : mantissa.slice(point).filter(isDigit).length;
  let exponent = isZero(value) ? 0 : Math.floor((value.point - 1) / places) * places;
  if (rounded(scaled(value, -exponent), decimals).whole.length > places) exponent += places;
  const rest = tokens.slice(at + 1);
  const end = rest.findLastIndex(isDigit) + 1;
  const digits = String(Math.abs(exponent)).padStart(rest.slice(0, end).filter(isDigit).length, '0');
  const token = tokens[at];
  const sign = exponent < 0 ? '-' : token?.type === 'exponent' && token.text === '+' ? '+' : '';
  const after = rest.slice(end).map((other) => literal(other, () => ''));
  return `${placed(scaled(value, -exponent), mantissa, () => '')}E${sign}${digits}${after.join('')}`;
}

/** Maximum denominator: seven places. */
const MAX_PLACES = 7;

function fractionText(value: Decimal, tokens: readonly Token[], slash: number): string {
  const top = tokens.slice(0, slash).findLastIndex((token) => !isDigit(token)) + 1;
  const isOfBottom = (token: Token): boolean => isDigit(token) || (token.type === 'text' && /^\d$/.test(token.text));
  const others = tokens.slice(slash + 1);
  const bottomLength = others.findIndex((token) => !isOfBottom(token));
  const bottom = bottomLength === -1 ? others : others.slice(0, bottomLength);
  const digits = bottom.map((token) => ('text' in token ? token.text : '')).join('');
  const fixed = /[1-9]/.test(digits) ? Number(digits.replaceAll(/\D/g, '0')) : undefined;
  const hasWhole = tokens.slice(0, top).some(isDigit);
  const number = Number(`${value.digits}e${value.point - value.digits.length}`);
  const whole = hasWhole ? Math.floor(number) : 0;
  const most = 10 ** Math.min(MAX_PLACES, Math.max(1, bottom.length)) - 1;
  let [over, under] =
    fixed === undefined ? nearest(number - whole, most) : [Math.round((number - whole) * fixed), fixed];
  const carried = hasWhole && over === under ? 1 : 0;
  if (carried > 0) over = 0;
  const shownWhole = whole + carried === 0 && over > 0 ? '' : String(whole + carried);
  const before = hasWhole ? wholeText(shownWhole === '0' ? '' : shownWhole, tokens.slice(0, top), false) : '';
  const lead = hasWhole
    ? before
    : tokens
        .slice(0, top)
        .map((token) => literal(token, () => ''))
        .join('');
  const tail = others
    .slice(bottom.length)
    .map((token) => literal(token, () => ''))
    .join('');
  if (over === 0 && hasWhole) return `${lead.trim() === '' ? '0' : lead.trimEnd()}${tail}`;
  return `${lead}${over}/${under}${tail}`;
}

/** The fraction with at most this denominator that is nearest to a number, by its continued fraction. */
function nearest(value: number, most: number): [number, number] {
  let [over, under, lastOver, lastUnder] = [Math.floor(value), 1, 1, 0];
  let rest = value - Math.floor(value);
  for (let step = 0; step < 40 && rest > 1e-9; step += 1) {
    const inverse = 1 / rest;
    const whole = Math.floor(inverse);
    if (whole * under + lastUnder > most) {
      // The last step would be too large: a smaller one may still be nearer.
      const part = Math.floor((most - lastUnder) / under);
      const [closer, below] = [part * over + lastOver, part * under + lastUnder];
      return Math.abs(closer / below - value) < Math.abs(over / under - value) ? [closer, below] : [over, under];
    }
    [over, under, lastOver, lastUnder] = [whole * over + lastOver, whole * under + lastUnder, over, under];
    rest = inverse - whole;
  }
  return [over, under];
}
