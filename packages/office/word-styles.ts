import { attribute, child, type Element, eachElement } from './xml.ts';
import type { Zip } from './zip.ts';

/** Which heading a paragraph is, which list it is in, and whether its text is shown, by its style or its own properties. */
export interface Look {
  heading?: number;
  list?: { id: string; level: number };
  isHidden?: boolean;
}

/** The look of each style by its id. A style inherits from the style that it is based on. */
export async function stylesOf(zip: Zip, entry: string): Promise<Map<string, Look>> {
  const looks = new Map<string, Look>();
  await eachElement(zip.text(entry), new Set(['style']), (style) => {
    const id = attribute(style, 'styleId');
    if (id === undefined) return true;
    const based = looks.get(valueOf(style, 'basedOn') ?? '');
    const named = /^heading (\d)$/i.exec(valueOf(style, 'name') ?? '')?.[1];
    const title = valueOf(style, 'name')?.toLowerCase() === 'title' ? '1' : undefined;
    const look = { ...based, ...lookOf(child(style, 'pPr')), ...hidingOf(child(style, 'rPr')) };
    if (named !== undefined || title !== undefined) look.heading = headingOf(named ?? title);
    looks.set(id, look);
    return looks.size < 10_000;
  });
  return looks;
}

/** What the properties of a paragraph or a style set. */
export function lookOf(properties: Element | undefined): Look {
  const outline = valueOf(properties, 'outlineLvl');
  const numbers = child(properties, 'numPr');
  const id = valueOf(numbers, 'numId');
  return {
    // 9 is body text.
    ...(outline === undefined || Number(outline) > 8 ? {} : { heading: headingOf(String(Number(outline) + 1)) }),
    ...(id === undefined ? {} : { list: { id, level: levelOf(valueOf(numbers, 'ilvl')) } }),
  };
}

/** Whether the properties of a run hide its text, if they say so. */
export const hidingOf = (properties: Element | undefined): { isHidden?: boolean } =>
  child(properties, 'vanish') ? { isHidden: isOn(properties, 'vanish') } : {};

const headingOf = (level: string | undefined): number => Math.min(6, Math.max(1, Number(level) || 1));
export const levelOf = (level: string | undefined): number => Math.min(8, Math.max(0, Number(level) || 0));

/** The attribute `val` of a child. */
export function valueOf(element: Element | undefined, name: string): string | undefined {
  const found = child(element, name);
  return found && attribute(found, 'val');
}

/** Whether the properties of a run or a section switch something on. */
export function isOn(properties: Element | undefined, name: string): boolean {
  const found = child(properties, name);
  return found !== undefined && isSwitchedOn(found);
}

/** Whether an element that is a switch, such as `titlePg`, is on: without a value it is. */
export const isSwitchedOn = (element: Element): boolean =>
  !['0', 'false', 'off', 'none'].includes(attribute(element, 'val') ?? '');
