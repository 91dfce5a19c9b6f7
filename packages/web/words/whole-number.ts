import { locale } from './language.ts';

const format = new Intl.NumberFormat(locale);

/** A whole number in the reader's digits, with its groups: 12,000. */
export const wholeNumber = (count: number): string => format.format(count);
