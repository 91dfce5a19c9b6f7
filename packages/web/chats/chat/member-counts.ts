import { t } from '../../words/t.ts';

/** Member counts of a group by kind. */
export interface MemberCounts {
  readonly people: number;
  readonly agents: number;
}

/** For example "4 people, 2 agents". */
export function countsText(counts: MemberCounts): string {
  if (counts.agents === 0) return t('{people, plural, one {# person} other {# people}}', { ...counts });
  if (counts.people === 0) return t('{agents, plural, one {# agent} other {# agents}}', { ...counts });
  return t('{people, plural, one {# person} other {# people}}, {agents, plural, one {# agent} other {# agents}}', {
    ...counts,
  });
}

/** For where only the total is known. */
export const membersText = (count: number): string => t('{count, plural, one {# member} other {# members}}', { count });
