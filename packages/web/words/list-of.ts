import { locale } from './language.ts';
import { t } from './t.ts';

const list = new Intl.ListFormat(locale);

/** Joins names as the reader's language does: "Ann, Bob, and Cleo". */
export const listOf = (names: readonly string[]): string => list.format(names);

/** Joins the first names, and says how many more there are of `count`. */
export function firstOf(names: readonly string[], most: number, count = names.length): string {
  const named = names.slice(0, most);
  const more = count - named.length;
  return listOf([...named, ...(more > 0 ? [t('{count, number} more', { count: more })] : [])]);
}
