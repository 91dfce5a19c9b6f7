import { dateText, type DateFormat, dateFormatOf, elapsedText } from './date-format.ts';
import { decimalOf, isZero } from './decimal.ts';
import { type Condition, type Section, sectionsOf } from './number-code.ts';
import { numberText } from './number-text.ts';

/** How a cell shows its number or its text: the sections of a code, of which the last may be for texts. */
export interface NumberFormat {
  readonly numbers: readonly NumberSection[];
  readonly text: Section | undefined;
}

interface NumberSection extends Section {
  readonly date: DateFormat | undefined;
}

export const general: NumberFormat = { numbers: [], text: undefined };

/** Excel's built-in formats by id, without the general one. Files use them without a code. */
const builtIn: Readonly<Record<string, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);("$"#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  32: 'h:mm',
  33: 'h:mm:ss',
  34: 'h:mm',
  35: 'h:mm:ss',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  41: '#,##0_);(#,##0);"-"_)',
  42: '"$"* #,##0_);"$"* (#,##0);"$"* "-"_)',
  43: '#,##0.00_);(#,##0.00);"-"??_)',
  44: '"$"* #,##0.00_);"$"* (#,##0.00);"$"* "-"??_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  // The others are dates, those from 27 in the order of an East Asian language: all of them are shown as ISO 8601.
  ...Object.fromEntries(
    [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'yyyy-mm-dd']),
  ),
};

/** Maximum characters that are read of a format's code, as in Excel. */
const MAX_CODE = 255;

/** The format with this id: the file's own code, or Excel's built-in one. */
export function numberFormat(id: string, codes: ReadonlyMap<string, string>): NumberFormat {
  // Some programs give the general format a code, which is empty.
  if (id === '0') return general;
  const code = codes.get(id) ?? (Object.hasOwn(builtIn, id) ? builtIn[id] : undefined);
  return code === undefined ? general : formatOf(code);
}

/** The format that a code says. */
export function formatOf(code: string): NumberFormat {
  if (/^(?:general)?$/i.test(code)) return general;
  const sections = sectionsOf(code.slice(0, MAX_CODE));
  const last = sections.at(-1);
  const isForTexts = sections.length > 3 || last?.tokens.some(({ type }) => type === 'value') === true;
  const numbers = isForTexts ? sections.slice(0, -1) : sections;
  return {
    numbers: numbers.slice(0, 3).map((section) => ({ ...section, date: dateFormatOf(section.tokens) })),
    text: isForTexts ? last : undefined,
  };
}

const holds = ({ sign, than }: Condition, value: number): boolean =>
  (sign.includes('<') && value < than) ||
  (sign.includes('>') && value > than) ||
  (sign !== '<>' && sign.includes('=') && value === than);

/** The section for a number, and whether the section itself says that the number is negative. */
function sectionFor(value: number, sections: readonly NumberSection[]) {
  const [first, second, third] = sections;
  if (sections.some(({ condition }) => condition !== null)) {
    const found = sections.find(({ condition }) => condition && holds(condition, value));
    const section = found ?? sections.find(({ condition }) => condition === null) ?? sections.at(-1);
    const hasOwnSign = section?.tokens.some((token) => token.type === 'text' && /[-(]/.test(token.text)) === true;
    return { section, hidesSign: hasOwnSign };
  }
  if (value < 0 && second) return { section: second, hidesSign: true };
  return { section: value === 0 && third ? third : first, hidesSign: false };
}

/** A number as text. Days and times are in ISO 8601, which people read in every language. */
export function formatNumber(value: number, { numbers }: NumberFormat, is1904: boolean): string {
  const { section, hidesSign } = sectionFor(value, numbers);
  if (!section) return generalText(value);
  const { tokens, date } = section;
  if (date) return (date.isElapsed ? elapsedText(value, tokens) : dateText(value, date, is1904)) ?? generalText(value);
  const shown = numberText(decimalOf(value), tokens, () => generalText(Math.abs(value)));
  const isNegative = value < 0 && !hidesSign && !isZero(decimalOf(value)) && /[1-9]/.test(shown);
  return `${isNegative ? '-' : ''}${shown.trim()}`;
}

/** A text as a format shows it, such as with words around it. */
export function formatText(value: string, { text }: NumberFormat): string {
  if (!text) return value;
  return text.tokens
    .map((token) =>
      token.type === 'value' || token.type === 'general' ? value : token.type === 'text' ? token.text : '',
    )
    .join('');
}

/** 15 digits, as Excel shows. */
const generalText = (value: number): string => String(Number(value.toPrecision(15)));
