import { Tokenizer } from 'htmlparser2';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import type { Block } from './tree.ts';

/** Elements whose text a browser does not show. */
const unread = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'object', 'svg']);
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
  const html = decodedHtml(bytes);
  const blocks: Block[] = [];
  let spans = new Spans(room);
  /** The element whose text is not shown. */
  let skipped: string | undefined;
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
        if (skipped !== undefined) return;
        if (unread.has(name)) skipped = name;
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
      onselfclosingtag: none,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  end();
  return { blocks, isCut: room.isFull };
}

function decodedHtml(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024));
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
  const label = mark ?? /charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
