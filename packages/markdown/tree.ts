// The parsed form of a message: plain data. Components get this, never the raw text.

/** The value of a tag's attribute. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Attributes = Readonly<Record<string, Value>>;

/** A registered tag: `{% name … /%}`, or with content between it and `{% /name %}`. */
export interface Tag {
  readonly kind: 'tag';
  readonly name: string;
  readonly attributes: Attributes;
  /** Only for tags with content. */
  readonly blocks: readonly Block[];
}

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'strike'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  /** `url` is http, https or mailto. */
  | { readonly kind: 'link'; readonly url: string; readonly children: readonly Inline[] }
  /** `url` is http or https, or a file of the service itself. */
  | { readonly kind: 'image'; readonly url: string; readonly alt: string }
  /** `username` may not exist; `text` is as written. */
  | { readonly kind: 'mention'; readonly username: string; readonly text: string }
  | { readonly kind: 'break' }
  /** `[^1]`: where a footnote belongs. */
  | { readonly kind: 'footnote mark'; readonly number: number }
  /** LaTeX, as written, with its delimiters. A formula with a mention in it is text. */
  | { readonly kind: 'formula'; readonly text: string }
  /** `{% … %}` that is no registered tag. It is shown as written, and nothing in it is a mark or a mention. */
  | { readonly kind: 'markup'; readonly text: string }
  | Tag;

export interface ListItem {
  /** Whether a task is done; null for other items. */
  readonly isDone: boolean | null;
  readonly blocks: readonly Block[];
}

export type Alignment = 'left' | 'center' | 'right' | null;
export type Cell = readonly Inline[];

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  /** `info` is the text after the opening fence, usually a language. */
  | { readonly kind: 'code'; readonly info: string; readonly text: string }
  | { readonly kind: 'rule' }
  /** `[^1]: text`. It stands where it is written. */
  | { readonly kind: 'footnote'; readonly number: number; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      /** The first number; null for bullets. */
      readonly start: number | null;
      /** Items are separated by blank lines. */
      readonly isLoose: boolean;
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: 'table';
      readonly alignments: readonly Alignment[];
      readonly head: readonly Cell[];
      readonly rows: readonly (readonly Cell[])[];
    }
  | Tag;

/** Maximum depth of nesting; deeper elements stay text. */
export const MAX_NESTED_BLOCKS = 12;
export const MAX_NESTED_INLINES = 24;
