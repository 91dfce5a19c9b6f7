// The registered tags. Other tags, and invalid ones, stay text.

interface TagRule {
  /** Has content up to `{% /name %}`; without an end tag it stays text. */
  readonly holds?: true;
  /** Its content is a label: the tag is inline. */
  readonly isLabelled?: true;
}

const rules: Readonly<Record<string, TagRule>> = {
  card: { holds: true },
  ticker: {},
  news: {},
  positions: {},
  button: { isLabelled: true },
  form: { holds: true },
  input: {},
  textarea: {},
  select: { holds: true },
  option: {},
  checkbox: {},
  submit: {},
  columns: { holds: true },
  column: { holds: true },
  row: { holds: true },
  stack: { holds: true },
};

const byName = new Map(Object.entries(rules));

export const ruleOf = (name: string): TagRule | undefined => byName.get(name);

export const isNameBeginning = (text: string): boolean => [...byName.keys()].some((name) => name.startsWith(text));
