import { nodesIn, parseMarkdown } from '@parley/markdown';

/** The first link to a page in a text, outside code; the app displays the same one as a link (TEXT-1). */
export function firstLink(text: string): string | undefined {
  // Most messages have no link: they are not parsed.
  if (!/https?:|www\./i.test(text)) return undefined;
  for (const node of nodesIn(parseMarkdown(text)))
    if (node.kind === 'link' && /^https?:/.test(node.url)) return node.url;
  return undefined;
}
