import type { Relation } from './relations.ts';
import { isOn, isSwitchedOn } from './word-styles.ts';
import { attribute, childrenOf, type Element, eachElement } from './xml.ts';
import type { Zip } from './zip.ts';

/** Whether the settings of a document give even pages headers and footers of their own. */
export async function hasEvenPages(zip: Zip, settings: string | undefined): Promise<boolean> {
  let found = false;
  if (settings !== undefined)
    await eachElement(zip.text(settings), new Set(['evenAndOddHeaders']), (element) => {
      found = isSwitchedOn(element);
      return false;
    });
  return found;
}

/**
 * The headers and footers that the pages of the sections show, each once. A section has those of the section before it,
 * apart from its own ones.
 */
export function pageParts(
  sections: readonly Element[],
  relations: ReadonlyMap<string, Relation>,
  hasEvenPages: boolean,
): readonly (readonly ['header' | 'footer', ReadonlySet<string>])[] {
  const shown = { header: new Set<string>(), footer: new Set<string>() };
  const targets = { header: new Map<string, string>(), footer: new Map<string, string>() };
  for (const section of sections) {
    for (const reference of childrenOf(section)) {
      const kind = kinds[reference.name];
      const relation = relations.get(attribute(reference, 'id', true) ?? '');
      if (kind && relation && !relation.isExternal)
        targets[kind].set(attribute(reference, 'type') ?? 'default', relation.target);
    }
    const isShown = (type: string): boolean =>
      type === 'first' ? isOn(section, 'titlePg') : type !== 'even' || hasEvenPages;
    for (const kind of ['header', 'footer'] as const)
      for (const [type, target] of targets[kind]) if (isShown(type)) shown[kind].add(target);
  }
  return [
    ['header', shown.header],
    ['footer', shown.footer],
  ];
}

const kinds: Readonly<Record<string, 'header' | 'footer'>> = { headerReference: 'header', footerReference: 'footer' };
