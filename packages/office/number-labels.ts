import type { ListPlace } from './tree.ts';

/** Larger numbers are shown in digits: their letters or numerals would be long. */
const MAX_LETTERS = 780;
const MAX_ROMAN = 3_999;

const numerals: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function romanOf(number: number): string {
  let left = number;
  let text = '';
  for (const [value, letters] of numerals) for (; left >= value; left -= value) text += letters;
  return text;
}

/** `a` to `z`, then `aa`, `bb` …, as text programs number lists. */
const lettersOf = (number: number): string =>
  String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));

const HAN_DIGITS = '〇一二三四五六七八九';

const hanDigits = (text: string): string => text.replaceAll(/\d/g, (digit) => HAN_DIGITS.charAt(Number(digit)));

/** A number from 1 to 99 in Chinese; larger ones digit by digit. */
function hanOf(number: number): string {
  if (number < 10 || number > 99) return hanDigits(String(number));
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  return `${tens === 1 ? '' : hanDigits(String(tens))}十${ones === 0 ? '' : hanDigits(String(ones))}`;
}

function ordinalOf(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** A number of a list as its format writes it. The names are those of WordprocessingML. */
export function numberLabel(number: number, format: string): string {
  if (!Number.isSafeInteger(number) || number < 0) return '';
  switch (format) {
    case 'none':
    case 'bullet':
      return '';
    case 'lowerLetter':
      return number > 0 && number <= MAX_LETTERS ? lettersOf(number) : String(number);
    case 'upperLetter':
      return numberLabel(number, 'lowerLetter').toUpperCase();
    case 'lowerRoman':
      return number > 0 && number <= MAX_ROMAN ? romanOf(number) : String(number);
    case 'upperRoman':
      return numberLabel(number, 'lowerRoman').toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'ordinal':
      return ordinalOf(number);
    case 'decimalEnclosedParen':
      return `(${number})`;
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCountingThousand':
    case 'japaneseCounting':
    case 'ideographDigital':
      return hanOf(number);
    default:
      return String(number);
  }
}

/** What stands before an item of a list with numbers; empty for other items. */
export const labelOf = ({ number, label }: ListPlace): string => label ?? (number === undefined ? '' : `${number}.`);
