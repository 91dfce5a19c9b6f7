import type { Token } from './number-code.ts';

/** Which parts of a day a section shows. */
export interface DateFormat {
  readonly isElapsed: boolean;
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly hasSeconds: boolean;
  /** Digits of a second's fraction, at most 3. */
  readonly decimals: number;
}

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** Day 0, and day 0 in files of Excel for old Macs. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
/** Excel's number for 10000-01-01. Its last valid day is the one before. */
const MAX_DAYS = 2_958_466;
/** Excel's 29 February 1900, which did not exist: the days before it have numbers that are one less. */
const NO_DAY = 60;

/** What the tokens show of a day; undefined if they show a number. */
export function dateFormatOf(tokens: readonly Token[]): DateFormat | undefined {
  const parts = tokens.filter((token) => token.type === 'date' || token.type === 'elapsed');
  if (parts.length === 0) return undefined;
  const firsts = parts.map(({ text }) => text.charAt(0));
  // `m` is a minute behind an hour and before a second, and a month elsewhere.
  const isMinute = firsts.map((letter, at) => letter === 'm' && (firsts[at - 1] === 'h' || firsts[at + 1] === 's'));
  const hasSeconds = firsts.includes('s');
  const seconds = tokens.findIndex((token) => 'text' in token && token.type !== 'text' && token.text.startsWith('s'));
  const fraction = hasSeconds && tokens[seconds + 1]?.type === 'point' ? tokens.slice(seconds + 2) : [];
  const end = fraction.findIndex(({ type }) => type !== 'digit');
  const time = hasSeconds || firsts.includes('h') || isMinute.includes(true) || firsts.includes('a');
  return {
    isElapsed: parts.some(({ type }) => type === 'elapsed'),
    hasDate: firsts.some((letter, at) => 'ydgeb'.includes(letter) || (letter === 'm' && isMinute[at] === false)),
    hasTime: time,
    hasSeconds,
    decimals: Math.min(3, end === -1 ? fraction.length : end),
  };
}

/** A day or a time in ISO 8601; undefined if the number is none. */
export function dateText(value: number, format: DateFormat, is1904: boolean): string | undefined {
  const { hasDate, hasTime, hasSeconds, decimals } = format;
  if (value < 0 || value >= MAX_DAYS) return undefined;
  const unit = 1_000 / 10 ** decimals;
  const exact = Math.round((value * DAY_MS) / unit) * unit;
  const isEarly = !is1904 && exact < NO_DAY * DAY_MS;
  const ms = Math.round((is1904 ? EPOCH_1904_MS : EPOCH_MS + (isEarly ? DAY_MS : 0)) + exact);
  const text = new Date(ms).toISOString();
  const day = is1904 ? text.slice(0, 10) : (namedDays[Math.floor(exact / DAY_MS)] ?? text.slice(0, 10));
  const time = text.slice(11, hasSeconds ? (decimals > 0 ? 20 + decimals : 19) : 16);
  return [...(hasDate ? [day] : []), ...(hasTime ? [time] : [])].join(' ');
}

/** Days that Excel shows and the calendar does not have. */
const namedDays: Readonly<Record<number, string>> = { 0: '1900-01-00', [NO_DAY]: '1900-02-29' };

/** A duration as its section shows it. */
export function elapsedText(value: number, tokens: readonly Token[]): string {
  const { decimals, hasSeconds } = dateFormatOf(tokens) ?? { decimals: 0, hasSeconds: false };
  const unit = 10 ** decimals;
  const total = Math.round(Math.abs(value) * DAY_S * unit) / unit;
  // Excel cuts minutes that have no seconds.
  const seconds = hasSeconds ? total : Math.floor(total);
  const parts: Readonly<Record<string, readonly [whole: number, part: number]>> = {
    h: [Math.floor(seconds / 3_600), Math.floor(seconds / 3_600) % 24],
    m: [Math.floor(seconds / 60), Math.floor(seconds / 60) % 60],
    s: [Math.floor(seconds), Math.floor(seconds) % 60],
  };
  const fraction = seconds.toFixed(decimals).split('.')[1] ?? '';
  const shown = tokens.map((token) => {
    if (token.type === 'point') return `.${fraction}`;
    if (token.type === 'text') return token.text;
    // The digits of the fraction stand behind the point already.
    if (token.type !== 'date' && token.type !== 'elapsed') return '';
    const [whole, part] = parts[token.text.charAt(0)] ?? [];
    const number = token.type === 'elapsed' ? whole : part;
    return number === undefined ? '' : String(number).padStart(Math.min(2, token.text.length), '0');
  });
  return `${value < 0 ? '-' : ''}${shown.join('').trim()}`;
}
