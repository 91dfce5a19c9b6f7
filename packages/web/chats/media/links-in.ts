import { nodesIn, parseMarkdown, textOfInlines } from '@parley/markdown';

interface FoundLink {
  readonly url: string;
  readonly text: string;
}

/** The http and https links of a text, each address once, in the order of the text. */
export function linksIn(content: string): FoundLink[] {
  const links = new Map<string, FoundLink>();
  for (const node of nodesIn(parseMarkdown(content))) {
    if (node.kind !== 'link' || !/^https?:/.test(node.url) || links.has(node.url)) continue;
    links.set(node.url, { url: node.url, text: textOfInlines(node.children) });
  }
  return [...links.values()];
}
