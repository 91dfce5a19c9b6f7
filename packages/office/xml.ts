import { Parser } from 'htmlparser2';
import { OfficeFailure } from './failure.ts';

/** Maximum depth of elements, far above what office programs write: trees are walked by recursion. */
const MAX_DEPTH = 256;
/** Maximum elements of one tree: each takes memory, also without text. The elements after them are left out. */
const MAX_ELEMENTS = 100_000;

/** The name of an element without its prefix, and its attributes; see `attribute`. */
export interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Element extends Tag {
  readonly children: (Element | string)[];
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute by its name without prefix. Programs choose the prefixes; `isPrefixed` says that there must be one. */
export function attribute({ attributes }: Tag, name: string, isPrefixed = false): string | undefined {
  if (!isPrefixed && Object.hasOwn(attributes, name)) return attributes[name];
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key];
  return undefined;
}

export const childrenOf = (element: Element | undefined): Element[] =>
  (element?.children ?? []).filter((child) => typeof child !== 'string');

export const child = (element: Element | undefined, name: string): Element | undefined =>
  childrenOf(element).find((child) => child.name === name);

/** The elements of this name in an element, at any depth, but not those inside one another. */
export const elementsIn = (element: Element, name: string): Element[] =>
  childrenOf(element).flatMap((inner) => (inner.name === name ? [inner] : elementsIn(inner, name)));

/** All text in an element. */
export const textIn = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');

/**
 * Streams XML, and calls `visit` with each outermost element of one of these names and the tags around it, until `visit`
 * returns false or the tag `until` opens. Holds one such element at a time, and returns `isCut` if one of them had too
 * many elements. Of alternatives it reads the first one: the others repeat a newer element for old programs. The parser is
 * tolerant: it does not expand entities, and skips errors.
 */
export async function eachElement(
  pieces: AsyncIterable<string>,
  names: ReadonlySet<string>,
  visit: (element: Element, around: readonly Tag[]) => boolean,
  until?: string,
): Promise<{ isCut: boolean }> {
  const around: Tag[] = [];
  const inside: Element[] = [];
  let depth = 0;
  let skippedFrom = 0;
  let count = 0;
  let isDone = false;
  let isTooDeep = false;
  let isCut = false;
  /** The alternatives that are open, with their depth. */
  const alternatives: { depth: number; isTaken: boolean }[] = [];
  const isRepeated = (name: string): boolean => {
    const around = alternatives.at(-1);
    if (around?.depth !== depth - 1 || (name !== 'Choice' && name !== 'Fallback')) return false;
    if (around.isTaken) return true;
    around.isTaken = true;
    return false;
  };
  const parser = new Parser(
    {
      onopentag(fullName, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH) isTooDeep = true;
        if (isTooDeep || isDone || skippedFrom > 0) return;
        const name = withoutPrefix(fullName);
        const parent = inside.at(-1);
        const isLeftOut = parent !== undefined && count >= MAX_ELEMENTS;
        isCut ||= isLeftOut;
        if (isLeftOut || isRepeated(name)) {
          skippedFrom = depth;
          return;
        }
        if (name === 'AlternateContent') alternatives.push({ depth, isTaken: false });
        if (!parent && name === until) isDone = true;
        else if (parent || names.has(name)) {
          const element: Element = { name, attributes, children: [] };
          count = parent ? count + 1 : 1;
          parent?.children.push(element);
          inside.push(element);
        } else around.push({ name, attributes });
      },
      ontext(text) {
        if (skippedFrom > 0) return;
        const element = inside.at(-1);
        if (!element) return;
        const last = element.children.at(-1);
        if (typeof last === 'string') element.children[element.children.length - 1] = last + text;
        else element.children.push(text);
      },
      onclosetag() {
        depth -= 1;
        if (isTooDeep || isDone) return;
        if (skippedFrom > 0) {
          if (depth < skippedFrom) skippedFrom = 0;
          return;
        }
        if (alternatives.at(-1)?.depth === depth + 1) alternatives.pop();
        const closed = inside.pop();
        if (!closed) around.pop();
        else if (inside.length === 0) isDone = !visit(closed, around);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for await (const piece of pieces) {
    parser.write(piece);
    if (isTooDeep) throw new OfficeFailure(false);
    if (isDone) return { isCut };
  }
  parser.end();
  return { isCut };
}

/** The name of the outermost element. */
export async function rootName(pieces: AsyncIterable<string>): Promise<string | undefined> {
  let name: string | undefined;
  const parser = new Parser(
    { onopentagname: (fullName) => void (name ??= withoutPrefix(fullName)) },
    { xmlMode: true },
  );
  for await (const piece of pieces) {
    parser.write(piece);
    if (name !== undefined) return name;
  }
  return undefined;
}
