export interface Rule {
  id: string;
  text: string;
}

/** The rules in a file of docs/spec: lines of the form `- **ID** text`. */
export const rulesIn = (spec: string): Rule[] =>
  [...spec.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.+)$/gm)].map(([, id = '', text = '']) => ({ id, text }));

/** The groups in a file of docs/spec: headings of the form `## GROUP: …`. */
export const groupsIn = (spec: string): Set<string> =>
  new Set([...spec.matchAll(/^## ([A-Z]+): /gm)].map(([, group = '']) => group));

/** IDs at the start of a string, where test titles have them: `'MSG-3: …'`, `'MSG-3, MSG-4: …'`. */
export const idsOfTitles = (source: string): string[] =>
  [...source.matchAll(/(['"`])((?:[A-Z]+-\d+, )*[A-Z]+-\d+): /g)].flatMap(([, , ids = '']) => ids.split(', '));

/** IDs anywhere in a source. Only these groups count, because UTF-8 and AES-256 are not rules. */
export const idsIn = (source: string, groups: ReadonlySet<string>): string[] =>
  [...source.matchAll(/\b([A-Z]+)-\d+\b/g)].flatMap(([id, group = '']) => (groups.has(group) ? [id] : []));

export const repeatedIn = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((id, at) => ids.indexOf(id) !== at)),
];

/** IDs that follow a higher number of their own group. */
export const disorderedIn = (ids: readonly string[]): string[] => {
  const highest = new Map<string, number>();
  return ids.filter((id) => {
    const [group = '', number = ''] = id.split('-');
    const isLower = Number(number) < (highest.get(group) ?? 0);
    if (!isLower) highest.set(group, Number(number));
    return isLower;
  });
};
