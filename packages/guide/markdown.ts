import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml, Html, html } from '@parley/server/transport/docs/html.ts';
import type { CodeColors } from './code-colors.ts';
import { withFootnotes } from './footnotes.ts';
import { Anchors, type Heading } from './headings.ts';

/** The text below one heading, for the search. */
interface Passage {
  readonly heading: Heading;
  readonly text: string;
}

export interface RenderedDocument {
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
  /** The first sentence of the text. */
  readonly summary: string;
}

/** Renders a document. `address` returns what a link or picture of it leads to on the site; null if nothing is there. */
export async function renderDocument(
  source: string,
  { colors, address }: { colors: CodeColors; address: (href: string) => string | null },
): Promise<RenderedDocument> {
  const anchors = new Anchors();
  const headings = new Map<Token, Heading>();
  const code = new Map<Token, Html>();
  const marked = new Marked({
    renderer: {
      heading(token) {
        const { id = '', level = 1 } = headings.get(token) ?? {};
        const inner = new Html(this.parser.parseInline(token.tokens));
        if (level === 1) return html`<h1 id="${id}">${inner}</h1>`.text;
        return `<h${level} id="${id}">${inner.text}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${level}>`;
      },
      code: (token) => code.get(token)?.text ?? '',
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = address(href);
        return to === null ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`;
      },
      image({ href, text }) {
        const from = address(href);
        return from === null ? escapeHtml(text) : html`<img src="${from}" alt="${text}" loading="lazy" />`.text;
      },
      // Comments are notes to who edits the document.
      html: ({ text }) => (text.startsWith('<!--') ? '' : withAddresses(text, address)),
    },
  });
  const tokens = marked.lexer(withFootnotes(source));
  for (const token of tokens)
    if (token.type === 'heading') {
      const text = plainText(token);
      headings.set(token, { level: token['depth'], id: anchors.add(text), text });
    }
  const blocks: Tokens.Code[] = [];
  // Its result is what the callback returns: nothing to wait for.
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'code') blocks.push(token as Tokens.Code); // its type says so
  });
  for (const block of blocks) code.set(block, await colors.block(block.text, block.lang ?? ''));
  const tables = marked.parser(tokens).replaceAll('<table>', '<div class="table"><table>');
  return {
    title: [...headings.values()].find(({ level }) => level === 1)?.text ?? '',
    body: new Html(tables.replaceAll('</table>', '</table></div>')),
    headings: [...headings.values()],
    passages: passagesOf(tokens, headings),
    summary: firstSentence(tokens.find(({ type }) => type === 'paragraph')),
  };
}

/** Addresses in HTML that a document contains. */
const withAddresses = (text: string, address: (href: string) => string | null): string =>
  text.replaceAll(/\b(src|href)="([^"]*)"/g, (_whole, name: string, to: string) => `${name}="${address(to) ?? ''}"`);

function passagesOf(tokens: readonly Token[], headings: ReadonlyMap<Token, Heading>): Passage[] {
  const passages: { heading: Heading; text: string }[] = [];
  for (const token of tokens) {
    const heading = headings.get(token);
    const last = passages.at(-1);
    if (heading) passages.push({ heading, text: '' });
    else if (last) last.text = `${last.text} ${plainText(token)}`.replaceAll(/\s+/g, ' ').trim();
  }
  return passages;
}

function plainText(token: Token): string {
  if (token.type === 'html') return '';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table; // its type says so
    return [header, ...rows].flatMap((row) => row.map((cell) => inline(cell.tokens))).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => inline(item.tokens, ' ')).join(' '); // its type says so
  if ('tokens' in token && token.tokens) return inline(token.tokens);
  return 'text' in token ? String(token.text) : '';
}

const inline = (tokens: readonly Token[], between = ''): string => tokens.map(plainText).join(between);

function firstSentence(token: Token | undefined): string {
  const text = token ? plainText(token).replaceAll(/\s+/g, ' ') : '';
  return /^.*?[.:](?= [A-Z]|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
