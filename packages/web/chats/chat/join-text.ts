import { t } from '../../words/t.ts';

interface Joined {
  /** The names of those who joined, without the reader's. */
  names: readonly string[];
  /** Whether the reader joined too. */
  withReader?: boolean;
  /** Named only if one person joined; null: unknown. */
  inviter: string | null;
  /** Whether the inviter is the reader. */
  isMine?: boolean;
}

/** One line for people who joined one after another. */
export function joinText({ names, withReader = false, inviter, isMine = false }: Joined): string {
  if (withReader) return joinOfReader(names, inviter);
  const [first = '', second = '', third = ''] = names;
  if (names.length > 3)
    return t('{first}, {second} and {count, plural, one {# other} other {# others}} joined with an invite', {
      first,
      second,
      count: names.length - 2,
    });
  if (names.length === 3) return t('{first}, {second} and {third} joined with an invite', { first, second, third });
  if (names.length === 2) return t('{first} and {second} joined with an invite', { first, second });
  if (isMine) return t('{first} joined with your invite', { first });
  return inviter === null
    ? t('{first} joined with an invite', { first })
    : t('{first} joined with an invite from {inviter}', { first, inviter });
}

function joinOfReader(names: readonly string[], inviter: string | null): string {
  const [first = '', second = ''] = names;
  if (names.length > 2)
    return t('You, {first} and {count, plural, one {# other} other {# others}} joined with an invite', {
      first,
      count: names.length - 1,
    });
  if (names.length === 2) return t('You, {first} and {second} joined with an invite', { first, second });
  if (names.length === 1) return t('You and {first} joined with an invite', { first });
  return inviter === null ? t('You joined with an invite') : t('You joined with an invite from {inviter}', { inviter });
}
