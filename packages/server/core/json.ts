/** A value that is already JSON text, such as a stored record; it is inserted into replies and frames unchanged. */
export class RawJson<Value = unknown> {
  readonly text: string;
  declare readonly value?: Value;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of this type in which any part may already be JSON text. */
export type Renderable<Value> =
  | RawJson<Value>
  | (Value extends readonly (infer Item)[]
      ? readonly Renderable<Item>[]
      : Value extends object
        ? { readonly [Key in keyof Value]: Renderable<Value[Key]> }
        : Value);

/** JSON of a value that may contain RawJson; undefined fields are left out. */
export function renderJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return renderList(value);
  let text = '';
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${renderJson(item)}`;
  }
  return `{${text}}`;
}

/** V8 copies concatenated text once, when the whole is read; `join` would copy each list once more. */
function renderList(items: readonly unknown[]): string {
  let text = '[';
  let separator = '';
  for (const item of items) {
    text += separator + renderJson(item ?? null);
    separator = ',';
  }
  return `${text}]`;
}
