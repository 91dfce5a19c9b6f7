import { readFileSync } from 'node:fs';
import { SourceMap, type SourceOrigin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLE } from './bundled-code.ts';

/** Maps are read when an error is logged: few processes ever need them. Null: there is none. */
const maps = new Map<string, SourceMap | null>();

/** The stack of an error that names the sources instead of the files of the bundle. */
export function inSources(stack: string, bundle = fileURLToPath(BUNDLE)): string {
  const folder = path.resolve(bundle);
  return stack.replaceAll(/file:\/\/(\/[^\s():]+\.mjs):(\d+):(\d+)/g, (place, file: string, line, column) => {
    const origin: Partial<SourceOrigin> | undefined =
      path.dirname(file) === folder ? mapOf(file)?.findOrigin(Number(line), Number(column)) : undefined;
    return origin?.fileName === undefined
      ? place
      : `${path.resolve(folder, origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) maps.set(file, (map = readMap(`${file}.map`)));
  return map;
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
