export interface Rule {
  id: string;
  text: string;
}

/** The rules of docs/SPEC.md: lines of the form `- **ID** text`. */
export const rulesIn = (spec: string): Rule[] =>
  [...spec.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.+)$/gm)].map(([, id = '', text = '']) => ({ id, text }));

/** The groups of docs/SPEC.md: headings of the form `## GROUP: …`. */
export const groupsIn = (spec: string): Set<string> =>
  new Set([...spec.matchAll(/^## ([A-Z]+): /gm)].map(([, group = '']) => group));

/** IDs at the head of a string, as test titles begin with them: `'MSG-3: …'`, `'MSG-3, MSG-4: …'`. */
export const idsOfTitles = (source: string): string[] =>
  [...source.matchAll(/(['"`])((?:[A-Z]+-\d+, )*[A-Z]+-\d+): /g)].flatMap(([, , ids = '']) => ids.split(', '));

/** IDs anywhere in a source, of these groups alone: others (UTF-8, AES-256) are no rules. */
export const idsIn = (source: string, groups: ReadonlySet<string>): string[] =>
  [...source.matchAll(/\b([A-Z]+)-\d+\b/g)].flatMap(([id, group = '']) => (groups.has(group) ? [id] : []));

export const repeatedIn = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((id, at) => ids.indexOf(id) !== at)),
];
