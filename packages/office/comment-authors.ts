import { type Relation, relationsOfType } from './relations.ts';
import { attribute, eachElement } from './xml.ts';
import type { Zip } from './zip.ts';

/** The names of the authors of comments, by their ids. */
export type Authors = ReadonlyMap<string, string>;

const MAX_AUTHORS = 10_000;

/** The authors in both kinds of parts: older programs have the one, newer ones the other. */
export async function authorsOf(zip: Zip, relations: ReadonlyMap<string, Relation>): Promise<Authors> {
  const authors = new Map<string, string>();
  const parts = ['commentAuthors', 'authors', 'person'].flatMap((type) => relationsOfType(relations, type));
  for (const part of parts)
    if (zip.has(part))
      await eachElement(zip.text(part), new Set(['cmAuthor', 'author', 'person']), (element) => {
        const name = attribute(element, 'name') ?? attribute(element, 'displayName');
        if (name !== undefined) authors.set(attribute(element, 'id') ?? '', name);
        return authors.size < MAX_AUTHORS;
      });
  return authors;
}
