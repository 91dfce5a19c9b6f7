import { locale } from './language.ts';

const list = new Intl.ListFormat(locale);

/** Joins names as the reader's language does: "Ann, Bob, and Cleo". */
export const listOf = (names: readonly string[]): string => list.format(names);
