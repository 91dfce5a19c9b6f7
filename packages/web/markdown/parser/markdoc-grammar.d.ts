// Only Markdoc's tag grammar: the whole package would include an unused Markdown parser.

export interface GrammarTag {
  readonly type: string;
  readonly meta?: {
    readonly tag?: string;
    readonly attributes?: readonly { readonly type: string; readonly name: string; readonly value: unknown }[] | null;
  };
}

/** Throws if the text is not a tag. */
export function parse(text: string): GrammarTag;
