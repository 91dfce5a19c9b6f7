import { Tokenizer } from 'htmlparser2';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import type { Block } from './tree.ts';
import { encodingOf } from './xml-text.ts';

/** Bytes at the beginning that say how a page is encoded. */
const START_BYTES = 1_024;

/** Elements whose text a browser does not show. */
const unread = new Set(['script', 'style', 'title', 'template', 'noscript', 'object', 'svg']);
/** Empty elements of XHTML in which HTML would take the rest of the page for a script, a style or a title. */
const emptyRaw = /<(?:script|style|title)\b[^<>]*\/>/gi;
/** Elements whose text goes on in the same line. */
const inline = new Set(
  'a abbr b bdi bdo cite code data dfn em font i kbd mark q s samp small span strong sub sup time u var wbr img input'.split(
    ' ',
  ),
);

const none = (): void => {};

/**
 * The text of a page of HTML that is a part of a document, each of its blocks as a paragraph. It reads tags one after
 * another and keeps none of them open, so a page of tags that nest or close wrongly takes linear time too.
 */
export function blocksOfHtml(bytes: Uint8Array, room: Room): { blocks: Block[]; isCut: boolean } {
  const encoding = encodingOf(bytes.subarray(0, START_BYTES), declarationInHtml);
  const html = new TextDecoder(encoding).decode(bytes).replaceAll(emptyRaw, '');
  const blocks: Block[] = [];
  let spans = new Spans(room);
  /** The element whose text is not shown. */
  let skipped: string | undefined;
  /** Whether the tag that is open began it. */
  let isSkippedNew = false;
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const end = (): void => {
    if (!spans.isBlank) blocks.push({ type: 'paragraph', spans: spans.spans });
    spans = new Spans(room);
    room.count();
  };
  const add = (text: string): void => {
    const shown = text.replaceAll(/(?<!\s)\s+/g, ' ');
    if (skipped === undefined && (shown !== ' ' || spans.spans.length > 0)) spans.add(shown);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname(start, after) {
        const name = nameAt(start, after);
        isSkippedNew = skipped === undefined && unread.has(name);
        if (skipped !== undefined) return;
        if (isSkippedNew) skipped = name;
        else if (name === 'br') spans.add('\n');
        else if (name === 'td' || name === 'th') spans.add(spans.isBlank ? '' : '\t');
        else if (!inline.has(name)) end();
      },
      onclosetag(start, after) {
        const name = nameAt(start, after);
        if (skipped === name) skipped = undefined;
        else if (!inline.has(name) && name !== 'td' && name !== 'th') end();
      },
      ontext: (start, after) => add(html.slice(start, after)),
      ontextentity: (point) => add(String.fromCodePoint(point)),
      onattribdata: none,
      onattribentity: none,
      onattribend: none,
      onattribname: none,
      oncdata: none,
      oncomment: none,
      ondeclaration: none,
      onend: none,
      onopentagend: none,
      onprocessinginstruction: none,
      onselfclosingtag() {
        if (isSkippedNew) skipped = undefined;
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  end();
  return { blocks, isCut: room.isFull };
}

const declarationInHtml = (ascii: string): string | undefined => /charset\s*=\s*["']?([\w-]+)/i.exec(ascii)?.[1];
