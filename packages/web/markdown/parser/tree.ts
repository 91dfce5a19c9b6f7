// A message as it is shown: plain data. What a component gets is this, never the text that somebody has written.

/** Of a tag's attribute. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Attributes = Readonly<Record<string, Value>>;

/** A registered tag: `{% name … /%}`, or with content between it and `{% /name %}`. */
export interface Tag {
  readonly kind: 'tag';
  readonly name: string;
  readonly attributes: Attributes;
  /** Of one with content. */
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
  /** Who is meant, if there is somebody of that name; `text` is as written. */
  | { readonly kind: 'mention'; readonly username: string; readonly text: string }
  | { readonly kind: 'break' }
  | Tag;

export interface ListItem {
  /** Of a task: whether it is done. */
  readonly isDone: boolean | null;
  readonly blocks: readonly Block[];
}

export type Alignment = 'left' | 'center' | 'right' | null;
export type Cell = readonly Inline[];

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  /** `info` is what stands behind the opening fence: a language, mostly. */
  | { readonly kind: 'code'; readonly info: string; readonly text: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      /** The first number; null for bullets. */
      readonly start: number | null;
      /** Items stand apart. */
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

/** Of what the service and people write: deeper ones are text. */
export const MOST_NESTED_BLOCKS = 12;
export const MOST_NESTED_INLINES = 24;
