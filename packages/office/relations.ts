import { attribute, eachElement } from './xml.ts';
import type { Zip } from './zip.ts';

export interface Relation {
  /** The end of the type's address, such as `styles`. */
  readonly type: string;
  /** The name of an entry; an address if `isExternal`. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** The relationships of an entry of an Office Open XML file, by their ids. `''` stands for the file itself. */
export async function relationsOf(zip: Zip, entry: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = entry.slice(0, entry.lastIndexOf('/') + 1);
  const name = `${folder}_rels/${entry.slice(folder.length)}.rels`;
  const relations = new Map<string, Relation>();
  if (!zip.has(name)) return relations;
  await eachElement(zip.text(name), new Set(['Relationship']), (element) => {
    const [id, target, type = ''] = ['Id', 'Target', 'Type'].map((key) => attribute(element, key));
    const isExternal = attribute(element, 'TargetMode') === 'External';
    if (id !== undefined && target !== undefined)
      relations.set(id, {
        type: type.slice(type.lastIndexOf('/') + 1),
        target: isExternal ? target : resolved(folder, target),
        isExternal,
      });
    return relations.size < 10_000;
  });
  return relations;
}

export const relationOfType = (relations: ReadonlyMap<string, Relation>, type: string): string | undefined =>
  [...relations.values()].find((relation) => relation.type === type && !relation.isExternal)?.target;

export const relationsOfType = (relations: ReadonlyMap<string, Relation>, type: string): string[] =>
  [...relations.values()]
    .filter((relation) => relation.type === type && !relation.isExternal)
    .map(({ target }) => target);

/** The name of the entry that a target means, relative to a folder or to the root of the file. */
function resolved(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (/^[\\/]/.test(target) ? target : folder + target).split(/[\\/]/))
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  return path.join('/');
}
