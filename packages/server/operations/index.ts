// One file per operation, named as in the URL, in folders by resource: the file is the registration.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type OperationName, operationNames } from '@parley/protocol';
import type { Handler } from './handler.ts';

const here = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
/** Paths below this folder, by the name of their file. */
export const handlerFiles: ReadonlyMap<string, string> = new Map(here.map((path) => [basename(path, '.ts'), path]));

/** Throws if the operation has no file, or one with the handler of another: then no service starts. */
async function load<Name extends OperationName>(name: Name): Promise<[Name, Handler<Name>]> {
  const path = handlerFiles.get(name);
  if (path === undefined) throw new Error(`${name} has no handler: operations/<folder>/${name}.ts`);
  // A file of this folder, whose default export `unit`, `read` … have made.
  const module = (await import(new URL(path, import.meta.url).href)) as { default?: Handler<Name> };
  if (module.default?.name !== name) throw new Error(`operations/${path} exports another handler than that of ${name}`);
  return [name, module.default];
}

/** The handlers of all operations. */
export const handlers = Object.fromEntries(await Promise.all(operationNames.map(load))) as {
  // One for each name.
  readonly [Name in OperationName]: Handler<Name>;
};
