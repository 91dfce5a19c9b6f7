import { z } from 'zod';
import type { ProviderEvent } from './provider.ts';

const text = z.string().nullish().catch(undefined);
const citation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({ url: z.string(), title: text, content: text }),
});

/** Fields of a delta in which servers send more than text: under the one or the other name, if at all. */
export const deltaParts = {
  reasoning_content: text,
  reasoning: text,
  annotations: z.array(z.unknown()).nullish().catch(undefined),
};

interface DeltaParts {
  reasoning_content?: string | null | undefined;
  reasoning?: string | null | undefined;
  annotations?: readonly unknown[] | null | undefined;
}

export const hasParts = ({ reasoning_content, reasoning, annotations }: DeltaParts): boolean =>
  Boolean(reasoning_content) || Boolean(reasoning) || Boolean(annotations);

/** The thoughts and sources in a delta of the Chat Completions API (PART-17). */
export function* partsIn(delta: DeltaParts): Generator<ProviderEvent> {
  const reasoning = delta.reasoning_content || delta.reasoning;
  if (reasoning) yield { type: 'reasoning', text: reasoning };
  for (const annotation of delta.annotations ?? []) {
    const cited = citation.safeParse(annotation).data?.url_citation;
    if (!cited) continue;
    const { url, title, content } = cited;
    yield { type: 'source', url, title: title ?? undefined, excerpt: content ?? undefined, isCited: true };
  }
}
