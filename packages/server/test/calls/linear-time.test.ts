// Every function that takes texts of strangers is run on the worst of them, so that none holds a thread.
import { globSync, readFileSync } from 'node:fs';
import * as markdown from '@parley/markdown';
import { cpuMs, isLinear } from '@parley/testing/clocks/linear-time.ts';
import { isQuick } from '@parley/testing/depth.ts';
import { expect, test } from 'vitest';
import { others, pieces, readers, textOf } from '../helpers/text-readers.ts';

/** The longest text that strangers can send. */
const LONGEST = 262_144;
/** On an eighth of it quadratic time already shows. */
const SHORT = 32_768;
/** How many texts are measured at full length, in `npm run test:all`: those that took longest when short. */
const WORST = 12;

/** The exported functions of a file that take a text, by their declarations. */
function takingText(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const declared = source.matchAll(
    /^export (?:async )?(?:function\*? (\w+)(?:<[^(]{0,80}>)?\(([^)]{0,400})|const (\w+) = (?:async )?\(([^)]{0,400})\)[^=]{0,99}=>)/gm,
  );
  return [...declared].flatMap(([, one, ofOne, other, ofOther]) =>
    /string|Buffer|Uint8Array/.test(ofOne ?? ofOther ?? '') ? [one ?? other ?? ''] : [],
  );
}

const root = new URL('../../../', import.meta.url).pathname;

test('ERR-13: every function that takes texts of strangers is among those that are measured', () => {
  const files = globSync(['server/{rules,previews,files}/*.ts', 'office/*.ts'], { cwd: root });
  const missing = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const name = file.replaceAll('\\', '/').slice(0, -'.ts'.length);
      const known = [...Object.keys(readers[name] ?? {}), ...(others[name] ?? [])];
      return takingText(root + file)
        .filter((one) => !known.includes(one))
        .map((one) => `${name}: ${one}`);
    });
  const ofMarkdown = [...Object.keys(readers['markdown/index'] ?? {}), ...(others['markdown/index'] ?? [])];
  expect([...missing, ...Object.keys(markdown).filter((one) => !ofMarkdown.includes(one))]).toEqual([]);
});

const measured = Object.entries(readers).flatMap(([file, functions]) =>
  Object.entries(functions).map(([name, read]) => ({ name: `${file}: ${name}`, read })),
);

test.each(measured)('ERR-13: $name takes linear time for the worst of texts', { timeout: 300_000 }, ({ read }) => {
  const timeOf = (piece: string) => {
    const text = textOf(piece)(SHORT);
    const start = cpuMs();
    read(text);
    return cpuMs() - start;
  };
  const isSlow = (size: number) => (piece: string) => !isLinear(read, textOf(piece), size / 4);
  expect(pieces.filter(isSlow(SHORT))).toEqual([]);
  if (isQuick) return;
  const worst = pieces.map((piece) => ({ piece, ms: timeOf(piece) })).toSorted((a, b) => b.ms - a.ms);
  expect(
    worst
      .slice(0, WORST)
      .map(({ piece }) => piece)
      .filter(isSlow(LONGEST)),
  ).toEqual([]);
});
