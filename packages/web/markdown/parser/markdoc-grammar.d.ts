// Markdoc's grammar of tags, alone: the whole of it would bring a Markdown parser that is not used.

export interface GrammarTag {
  readonly type: string;
  readonly meta?: {
    readonly tag?: string;
    readonly attributes?: readonly { readonly type: string; readonly name: string; readonly value: unknown }[] | null;
  };
}

/** Throws for what is no tag. */
export function parse(text: string): GrammarTag;
