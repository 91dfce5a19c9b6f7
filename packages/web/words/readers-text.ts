import { firstOf } from './list-of.ts';
import { t } from './t.ts';

/** Maximum names that are listed. */
const NAMED = 5;

interface Readers {
  /** Usernames of those who were named, of `readers`. */
  reads_to: readonly string[];
  readers?: number | undefined;
}

/** Who reads a reply, as a call that asked about it has named them. `nameOf`: how the others are called. */
export function readersText(
  { reads_to: named, readers = named.length }: Readers,
  me: string,
  nameOf: (username: string) => string,
): string {
  const others = named.filter((username) => username !== me).map(nameOf);
  if (others.length === 0) return t('Only you');
  const first = others.length < named.length ? [t('You')] : [];
  return firstOf([...first, ...others], NAMED + first.length, readers);
}
