// Parses the text of a paragraph, heading or cell. One pass finds the marks, a second builds the tree.
import { type AddressRules, usualAddresses } from './addresses.ts';
import { bareAddressAt } from './bare-address.ts';
import { buildInlines, type Item } from './build-inlines.ts';
import { CodeSpans } from './code-spans.ts';
import { closeOpeners, pairRuns, type Run, runAt, type Wrap } from './emphasis.ts';
import { entityAt } from './entities.ts';
import { footnoteMarkAt } from './footnotes.ts';
import { closingOf, FormulaEnds } from './formulas.ts';
import { isSpaceAt } from './lines.ts';
import { LinkTargets } from './link-target.ts';
import type { InlineMarkListener } from './inline-marks.ts';
import { mentionAt } from './mention.ts';
import { readTag } from './read-tag.ts';
import { tagEnds } from './tag-ends.ts';
import { ruleOf } from './tag-names.ts';
import type { Inline, Tag } from './tree.ts';

const SPECIAL = /[\\*_\]@<&\n]|!?\[|~~+|`+|\$+|\{%|https?:\/\/|www\./gi;
/** Without line ends and emphasis, which change no mention. */
const SPECIAL_FOR_MENTIONS = /[\\\]@<]|!?\[|`+|\$+|\{%|https?:\/\/|www\./gi;
const MENTION_OR_BREAK = /[@\n]/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
/** The target of a link whose end has not arrived yet. */
const UNFINISHED_TARGET = /^\((?:<[^<>\n]*|[^\s()<>]*(?:\([^\s()<>]*)?|[^\s()<>]+[ \t]+(?:"[^"]*|'[^']*|\([^()]*))$/;
const NO_SPACE = /[^ ]/;
/** An address, or an e-mail address by HTML's definition. */
const AUTOLINK =
  /<(?:((?:https?:\/\/|mailto:)[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[\dA-Za-z](?:[\dA-Za-z.-]*[\dA-Za-z])?))>/iy;
const LABEL_END = /\{%[ \t\n]*\/button[ \t\n]*%\}/g;

interface Bracket {
  readonly isImage: boolean;
  readonly start: number;
  /** The bracket's index among the items. */
  readonly item: number;
  readonly runs: number;
}

interface InlineOptions {
  /** Only mentions are wanted: emphasis and line ends stay text. */
  readonly isForMentions?: boolean;
  readonly onMark?: InlineMarkListener | undefined;
  /**
   * Set while streaming: the text may go on, so marks that are open at its end are closed there. Called if a formula is
   * open, in which nothing is closed.
   */
  readonly onOpenFormula?: (() => void) | undefined;
  /** Which addresses become links and images; TEXT-2 unless given. */
  readonly addresses?: AddressRules | undefined;
}

export function parseInlines(text: string, options: InlineOptions = {}): Inline[] {
  const reader = new InlineReader(text, options);
  reader.read();
  return buildInlines(text, reader.items, options.onMark);
}

/**
 * The usernames that a text mentions, in order. The description of an image is not text, so it contains no mentions.
 */
export function* mentionsInText(text: string): Generator<string> {
  const reader = new InlineReader(text, { isForMentions: true });
  reader.read();
  let images = 0;
  for (const item of reader.items) {
    if ('node' in item) {
      if (images === 0) yield* mentionsOf(item.node);
    } else if ('start' in item) {
      if (item.opens?.kind === 'image') images += 1;
      if (item.closes?.kind === 'image') images -= 1;
    }
  }
}

function* mentionsOf(node: Inline): Generator<string> {
  if (node.kind === 'mention') yield node.username;
  else if (node.kind === 'link') for (const child of node.children) yield* mentionsOf(child);
}

class InlineReader {
  readonly items: Item[] = [];
  readonly #text: string;
  readonly #special: RegExp;
  readonly #onMark: InlineMarkListener | undefined;
  readonly #onOpenFormula: (() => void) | undefined;
  readonly #addresses: AddressRules;
  readonly #runs: Run[] = [];
  readonly #brackets: Bracket[] = [];
  /** Brackets before this item cannot become links, because links do not nest. */
  #linkFloor = 0;
  #spans: CodeSpans | undefined;
  #ends: ReadonlyMap<number, number> | undefined;
  #formulaEnds: FormulaEnds | undefined;
  #targets: LinkTargets | undefined;
  #labelEnds: { start: number; end: number }[] | undefined;
  /** The end of the text that is already in items. */
  #done = 0;
  #isInFormula = false;

  constructor(
    text: string,
    { isForMentions = false, onMark, onOpenFormula, addresses = usualAddresses }: InlineOptions,
  ) {
    this.#text = text;
    this.#special = isForMentions ? SPECIAL_FOR_MENTIONS : SPECIAL;
    this.#onMark = onMark;
    this.#onOpenFormula = onOpenFormula;
    this.#addresses = addresses;
  }

  read(): void {
    const text = this.#text;
    for (let at = 0; ;) {
      this.#special.lastIndex = at;
      const special = this.#special.exec(text);
      if (!special) break;
      at = this.#take(special[0], special.index);
    }
    this.#flush(text.length);
    const openers = pairRuns(this.#runs, 0);
    if (this.#onOpenFormula && !this.#isInFormula) this.#closeAtEnd(openers);
  }

  /** Closes the emphasis that is open at the end, and hides the bracket of a label that is. */
  #closeAtEnd(openers: readonly Run[]): void {
    const end = this.#text.length;
    const bracket = this.#brackets.at(-1);
    if (bracket && !bracket.isImage) this.items[bracket.item] = { start: end, end };
    for (const wrap of closeOpeners(openers)) this.items.push({ closes: wrap, start: end, end });
  }

  /** Consumes the item at a position and returns where to continue. */
  #take(mark: string, at: number): number {
    switch (mark[0]) {
      case '\n':
        return this.#break(at, at + 1);
      case '&':
        return this.#entity(at);
      case '\\':
        return this.#formula(at, this.#text.slice(at, at + 2)) ?? this.#escape(at);
      case '$':
        return this.#formula(at, mark) ?? at + mark.length;
      case '`':
        return this.#code(at, mark.length);
      case '*':
      case '_':
      case '~':
        return this.#run(at);
      case '!':
      case '[':
        return this.#footnote(at) ?? this.#openBracket(mark, at);
      case ']':
        return this.#closeBracket(at);
      case '<':
        return this.#autolink(at);
      case '@':
        return this.#mention(at);
      case '{':
        return this.#tag(at);
      default:
        return this.#address(at);
    }
  }

  /** Consumes a formula. One with a mention in it, or without an end yet, is text. */
  #formula(at: number, opening: string): number | undefined {
    const isDollar = opening === '$';
    if (!isDollar && closingOf(opening) === undefined) return undefined;
    this.#formulaEnds ??= new FormulaEnds(this.#text, at);
    let end = isDollar ? this.#formulaEnds.endOfDollar(at) : this.#formulaEnds.endOf(at);
    if (end !== undefined) {
      const text = this.#text.slice(at, end);
      if (!text.includes('@')) return this.#put({ kind: 'formula', text }, at, end);
    } else if (this.#onOpenFormula && !isDollar) {
      this.#onOpenFormula();
      this.#isInFormula = true;
      end = this.#text.length;
    }
    if (end === undefined) return undefined;
    for (const { 0: sign, index } of this.#text.slice(at, end).matchAll(MENTION_OR_BREAK)) {
      if (sign === '@') this.#mention(at + index);
      else this.#put({ kind: 'break' }, at + index, at + index + 1);
    }
    this.#flush(end);
    return end;
  }

  /** Consumes a line end, with the blanks before it. */
  #break(at: number, end: number): number {
    let before = at;
    while (before > this.#done && isSpaceAt(this.#text, before - 1)) before -= 1;
    return this.#put({ kind: 'break' }, before, end);
  }

  #entity(at: number): number {
    const entity = entityAt(this.#text, at);
    if (!entity) return at + 1;
    const end = at + entity.length;
    this.#onMark?.('entity', at, end, entity.text);
    return this.#put({ kind: 'text', text: entity.text }, at, end);
  }

  #escape(at: number): number {
    const next = this.#text.charAt(at + 1);
    if (!PUNCTUATION.test(next) && next !== '\n') return at + 1;
    this.#onMark?.('escape', at, at + 1);
    if (next === '\n') return this.#put({ kind: 'break' }, at, at + 2);
    this.#flush(at);
    this.#done = at + 1;
    return at + 2;
  }

  #code(at: number, length: number): number {
    this.#spans ??= new CodeSpans(this.#text, at, this.#text.length);
    const close = this.#spans.closeOf(at, length) ?? (this.#onOpenFormula ? this.#text.length : undefined);
    if (close === undefined) return at + length;
    this.#onMark?.('code span', at, at + length);
    this.#onMark?.('code span', close, close + length);
    const inner = this.#text.slice(at + length, close).replaceAll('\n', ' ');
    const isPadded = inner.startsWith(' ') && inner.endsWith(' ') && NO_SPACE.test(inner);
    const end = Math.min(close + length, this.#text.length);
    return this.#put({ kind: 'code', text: isPadded ? inner.slice(1, -1) : inner }, at, end);
  }

  #run(at: number): number {
    const run = runAt(this.#text, at);
    if (run.canOpen || run.canClose) {
      this.#flush(at);
      this.#runs.push(run);
      this.items.push({ run });
      this.#done = at + run.length;
    }
    return at + run.length;
  }

  #footnote(at: number): number | undefined {
    const footnote = footnoteMarkAt(this.#text, at);
    if (!footnote) return undefined;
    const end = at + footnote.length;
    this.#onMark?.('footnote', at, at + 2);
    this.#onMark?.('footnote', end - 1, end);
    return this.#put({ kind: 'footnote mark', number: footnote.number }, at, end);
  }

  #openBracket(mark: string, at: number): number {
    this.#flush(at);
    this.#brackets.push({ isImage: mark === '![', start: at, item: this.items.length, runs: this.#runs.length });
    // Text until its end is found.
    this.items.push({ start: at, end: at + mark.length });
    this.#done = at + mark.length;
    return this.#done;
  }

  #closeBracket(at: number): number {
    const open = this.#brackets.pop();
    if (!open || this.#text[at + 1] !== '(' || (!open.isImage && open.item < this.#linkFloor)) return at + 1;
    this.#targets ??= new LinkTargets(this.#text);
    const target = this.#targets.at(at + 1);
    const url = target && (open.isImage ? this.#addresses.ofImage : this.#addresses.ofLink)(target.address);
    const isUnfinished =
      !target && this.#onOpenFormula && !open.isImage && UNFINISHED_TARGET.test(this.#text.slice(at + 1));
    if (isUnfinished) {
      this.#flush(at);
      this.items[open.item] = { start: at, end: at };
      this.#done = this.#text.length;
      return this.#done;
    }
    // A link with an empty label would be invisible.
    if (!target || url === undefined || (!open.isImage && this.#text.slice(open.start + 1, at).trim() === ''))
      return at + 1;
    this.#flush(at);
    pairRuns(this.#runs, open.runs);
    this.#runs.length = open.runs;
    const wrap: Wrap = { kind: open.isImage ? 'image' : 'link', url };
    this.items[open.item] = { opens: wrap, start: open.start, end: open.start + (open.isImage ? 2 : 1) };
    this.items.push({ closes: wrap, start: at, end: target.end });
    if (!open.isImage) this.#linkFloor = open.item;
    this.#done = target.end;
    return target.end;
  }

  #autolink(at: number): number {
    AUTOLINK.lastIndex = at;
    const [found, address, email] = AUTOLINK.exec(this.#text) ?? [];
    const url = found === undefined ? undefined : this.#addresses.ofLink(address ?? `mailto:${email}`);
    if (found === undefined || url === undefined) return at + 1;
    const end = at + found.length;
    this.#onMark?.('autolink', at, at + 1);
    this.#onMark?.('autolink', end - 1, end);
    return this.#put({ kind: 'link', url, children: this.#addressParts(at + 1, end - 1) }, at, end);
  }

  #mention(at: number): number {
    const node = this.#mentionAt(at);
    return node ? this.#put(node, at, at + node.text.length) : at + 1;
  }

  #mentionAt(at: number): Extract<Inline, { kind: 'mention' }> | undefined {
    const name = mentionAt(this.#text, at);
    return name === undefined ? undefined : { kind: 'mention', username: name.toLowerCase(), text: `@${name}` };
  }

  #address(at: number): number {
    const { url, end } = bareAddressAt(this.#text, at);
    if (url === undefined) return end;
    return this.#put({ kind: 'link', url, children: this.#addressParts(at, end) }, at, end);
  }

  /** An address as it is shown: text and mentions. */
  #addressParts(start: number, end: number): Inline[] {
    const parts: Inline[] = [];
    let done = start;
    const addText = (until: number): void => {
      if (until > done) parts.push({ kind: 'text', text: this.#text.slice(done, until) });
    };
    for (const { index } of this.#text.slice(start, end).matchAll(/@/g)) {
      const node = this.#mentionAt(start + index);
      const after = start + index + (node?.text.length ?? 0);
      // A username that continues after the end of the address is not a part of the address.
      if (!node || after > end) continue;
      addText(start + index);
      parts.push(node);
      done = after;
    }
    addText(end);
    return parts;
  }

  #tag(at: number): number {
    this.#ends ??= tagEnds(this.#text, at, this.#text.length);
    const end = this.#ends.get(at);
    if (end === undefined) return at + 2;
    const markup = this.#text.slice(at, end);
    const literal = (): number => this.#put({ kind: 'markup', text: markup }, at, end);
    const tag = readTag(markup);
    if (!tag || tag.form === 'close') return literal();
    const node: Tag = { kind: 'tag', name: tag.name, attributes: tag.attributes, blocks: [] };
    if (tag.form === 'open') {
      const labelEnd = ruleOf(tag.name)?.isLabelled ? this.#labelEnd(end) : undefined;
      const label = this.#text.slice(end, labelEnd?.start).trim();
      if (!labelEnd || label === '' || label.includes('{%') || tag.attributes['label'] !== undefined) return literal();
      this.#onMark?.('tag', at, end);
      this.#onMark?.('tag', labelEnd.start, labelEnd.end);
      const text = label.replaceAll('\n', ' ');
      return this.#put({ ...node, attributes: { ...tag.attributes, label: text } }, at, labelEnd.end);
    }
    this.#onMark?.('tag', at, end);
    return this.#put(node, at, end);
  }

  #labelEnd(from: number): { start: number; end: number } | undefined {
    this.#labelEnds ??= [...this.#text.matchAll(LABEL_END)]
      .map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
      .toReversed();
    // Openings come in order: anything before this one is before all later ones.
    while ((this.#labelEnds.at(-1)?.start ?? from) < from) this.#labelEnds.pop();
    return this.#labelEnds.at(-1);
  }

  #put(node: Inline, start: number, end: number): number {
    this.#flush(start);
    this.items.push({ node });
    this.#done = end;
    return end;
  }

  #flush(end: number): void {
    if (end > this.#done) this.items.push({ start: this.#done, end });
    this.#done = end;
  }
}
