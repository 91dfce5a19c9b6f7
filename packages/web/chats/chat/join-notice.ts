import { t } from '../../words/t.ts';

/** What a notice says about a person who joined a group by an invite (INVITE-13); null for any other notice. */
export function joinOf(service: unknown): { readonly inviter: string | null } | null {
  if (!isRecord(service) || service['kind'] !== 'joined_by_invite') return null;
  const { data } = service;
  const inviter = isRecord(data) ? data['invited_by'] : undefined;
  return { inviter: typeof inviter === 'string' ? inviter : null };
}

/** One line for people who joined one after another. The inviter is named only for one person; `isMine`: it is the reader. */
export function joinText(names: readonly string[], inviter: string | null, isMine = false): string {
  const [first = '', second = '', third = '', ...more] = names;
  if (names.length > 3)
    return t('{first}, {second} and {count, plural, one {# other} other {# others}} joined with an invite', {
      first,
      second,
      count: more.length + 1,
    });
  if (names.length === 3) return t('{first}, {second} and {third} joined with an invite', { first, second, third });
  if (names.length === 2) return t('{first} and {second} joined with an invite', { first, second });
  if (isMine) return t('{first} joined with your invite', { first });
  return inviter === null
    ? t('{first} joined with an invite', { first })
    : t('{first} joined with an invite from {inviter}', { first, inviter });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
