// What the page behind a link says of itself.
import type { LinkPreview } from '@parley/protocol';
import { Tokenizer } from 'htmlparser2';

/** Maximum characters of each text of a preview. */
const TITLE_CHARACTERS = 200;
const DESCRIPTION_CHARACTERS = 300;
const SITE_CHARACTERS = 80;
/** Maximum UTF-16 units kept of a text while it is read. */
const MAX_UNITS = 4_096;
/** Where HTML requires that a page declares its encoding. */
const DECLARED_WITHIN = 1_024;

/** The fields of a preview, best first, by the names of `<meta>`. */
const sources = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  site_name: ['og:site_name', 'application-name'],
} as const;
const wanted: ReadonlySet<string> = new Set(Object.values(sources).flat());

const none = (): void => {};

/** The attributes of `<meta>` that are read. */
const read: ReadonlySet<string> = new Set(['property', 'name', 'content']);

/** Control characters and those that change the direction of text would reach into the text beside them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu;

function shown(text: string | undefined, most: number): string | undefined {
  const characters = Array.from((text ?? '').toWellFormed().replaceAll(UNSEEN, ' ').trim());
  if (characters.length === 0) return undefined;
  return characters.length <= most
    ? characters.join('')
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * Reads the head of a page as it arrives; what follows it is of no interest (LINK-4). It reads tags one after another and
 * keeps none of them open, so a page of tags that nest or close wrongly takes linear time too.
 */
export class PageText {
  readonly #tokenizer: Tokenizer;
  readonly #found = new Map<string, string>();
  #html = '';
  #title = '';
  #isInTitle = false;
  #tag = '';
  #attribute = '';
  #attributes: Record<string, string> = {};
  /** The head has ended: the rest need not be read. */
  isOver = false;

  constructor() {
    const nameAt = (start: number, end: number): string => this.#html.slice(start, end).toLowerCase();
    this.#tokenizer = new Tokenizer(
      { xmlMode: false, decodeEntities: true },
      {
        onopentagname: (start, end) => {
          this.#tag = nameAt(start, end);
          this.#attributes = {};
          if (this.#tag === 'body') this.isOver = true;
        },
        onattribname: (start, end) => void (this.#attribute = nameAt(start, end)),
        onattribdata: (start, end) => this.#addValue(this.#html.slice(start, end)),
        onattribentity: (code) => this.#addValue(String.fromCodePoint(code)),
        onattribend: () => this.#addValue(''),
        onopentagend: () => this.#open(),
        onselfclosingtag: () => this.#open(),
        ontext: (start, end) => this.#addText(this.#html.slice(start, end)),
        ontextentity: (code) => this.#addText(String.fromCodePoint(code)),
        onclosetag: (start, end) => {
          const name = nameAt(start, end);
          if (name === 'title') this.#isInTitle = false;
          else if (name === 'head') this.isOver = true;
        },
        oncdata: none,
        oncomment: none,
        ondeclaration: none,
        onend: none,
        onprocessinginstruction: none,
      },
    );
  }

  add(html: string): void {
    if (this.isOver) return;
    this.#html += html;
    this.#tokenizer.write(html);
  }

  #open(): void {
    // One write can contain more than the head.
    if (this.isOver) return;
    if (this.#tag === 'title') this.#isInTitle = this.#title === '';
    else if (this.#tag === 'meta') this.#meta(this.#attributes);
  }

  #addText(text: string): void {
    if (this.#isInTitle && this.#title.length < MAX_UNITS) this.#title += text.slice(0, MAX_UNITS);
  }

  #addValue(text: string): void {
    if (this.#tag !== 'meta' || !read.has(this.#attribute)) return;
    const value = this.#attributes[this.#attribute] ?? '';
    if (value.length < MAX_UNITS) this.#attributes[this.#attribute] = value + text.slice(0, MAX_UNITS);
  }

  /** The preview of the page; null without a title. */
  previewOf(url: string): LinkPreview | null {
    const first = (names: readonly string[]) => names.map((name) => this.#found.get(name)).find((text) => text?.trim());
    const title = shown(first(sources.title) ?? this.#title, TITLE_CHARACTERS);
    if (title === undefined) return null;
    const description = shown(first(sources.description), DESCRIPTION_CHARACTERS);
    const site_name = shown(first(sources.site_name), SITE_CHARACTERS);
    return { url, title, ...(description && { description }), ...(site_name && { site_name }) };
  }

  #meta({ property, name, content }: Readonly<Record<string, string>>): void {
    const key = (property ?? name ?? '').trim().toLowerCase();
    if (content !== undefined && wanted.has(key) && !this.#found.has(key))
      this.#found.set(key, content.slice(0, MAX_UNITS));
  }
}

/** The encodings that a byte order mark names. */
const marks = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;

/** The decoder for a page: its byte order mark, its header and its own declaration name the encoding, in this order. */
export function decoderOf(contentType: string, beginning: Uint8Array): TextDecoder {
  const head = Buffer.from(beginning.subarray(0, DECLARED_WITHIN)).toString('latin1');
  const named =
    marks.find(([, mark]) => mark.every((byte, at) => beginning[at] === byte))?.[0] ??
    /;\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType)?.[1] ??
    /<meta\s[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1];
  try {
    return new TextDecoder(named ?? 'utf-8');
  } catch {
    // An encoding that does not exist.
    return new TextDecoder('utf-8');
  }
}

/** The beginning of a page, as a server sent it. */
export interface PageBeginning {
  url: string;
  contentType: string;
  bytes: Uint8Array;
}

/** What a beginning of a page says; `isOver` if nothing that follows could change it. */
export interface PageReading {
  preview: LinkPreview | null;
  isOver: boolean;
}

export function readPage({ url, contentType, bytes }: PageBeginning): PageReading {
  const text = new PageText();
  text.add(decoderOf(contentType, bytes).decode(bytes));
  return { preview: text.previewOf(url), isOver: text.isOver };
}
