/** Member counts of a group by kind. */
export interface MemberCounts {
  readonly people: number;
  readonly agents: number;
}

/** For example "4 people, 2 agents". */
export function countsText({ people, agents }: MemberCounts): string {
  const parts = [countOf(people, 'person', 'people'), countOf(agents, 'agent', 'agents')];
  return parts.filter((part) => part !== '').join(', ');
}

const countOf = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
