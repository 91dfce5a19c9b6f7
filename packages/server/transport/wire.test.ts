import { readFileSync } from 'node:fs';
import { featureLevel } from '@parley/protocol';
import { expect, test } from 'vitest';
import level1 from './level-1.json' with { type: 'json' };
import { wirePaths } from './level-1-paths.ts';
import { wireInventory } from './wire-inventory.ts';

const file = '../../protocol/wire.txt';

/** The lines of an inventory: the name of each, after that of its block, and what stands behind its colon. */
function entriesOf(inventory: string): Map<string, string> {
  const entries = new Map<string, string>();
  let block = '';
  for (const line of inventory.split('\n').slice(1)) {
    if (!line.startsWith('  ')) block = line;
    const [, name = line.trim(), mark = '', type = ''] = /^ +(.*?)(\??): (.*)$/.exec(line) ?? [];
    const key = line === block ? block : `${block} ${name}`;
    // Members of a union may have a field of the same name.
    entries.set(key, [entries.get(key), mark === '' ? type : `${type}, optional`].filter(Boolean).join(' | '));
  }
  return entries;
}

/** Constants of a type: a client may send or expect each of them. */
const constantsIn = (type: string): string[] => type.match(/"[^"]*"/g) ?? [];

/** The code under which an event is in the log. */
const storedAs = (kind: string): string | undefined => / stored as (\d+)/.exec(kind)?.[1];

/** What clients of the former wire would miss: VERSION-2 allows none of it. */
function lostIn(former: Map<string, string>, today: Map<string, string>): string[] {
  const gone = [...former].flatMap(([name, type]) => {
    const now = today.get(name);
    if (now === undefined) return [`${name} is gone`];
    const constants = constantsIn(now);
    const unknown = constantsIn(type).filter((one) => !constants.includes(one));
    const isLoose = / answers | has /.test(name) && now.endsWith(', optional') && !type.endsWith(', optional');
    const code = storedAs(type);
    return [
      ...unknown.map((one) => `${name} no longer knows ${one}`),
      ...(isLoose ? [`${name} may be absent now`] : []),
      ...(code !== undefined && storedAs(now) !== code ? [`${name} is no longer stored as ${code}`] : []),
    ];
  });
  const asked = [...today].flatMap(([name, type]) => {
    const [operation, what] = name.split(' ');
    const isNew = what !== 'takes' || !former.has(operation ?? '');
    if (isNew || type.endsWith(', optional') || name.includes('.') || / no /.test(name)) return [];
    return former.get(name)?.endsWith(', optional') === false ? [] : [`${name} is required now`];
  });
  return [...gone, ...asked];
}

test('VERSION-1, VERSION-2: the wire changes on purpose: nothing is removed, and what is added raises the feature level', async () => {
  const inventory = wireInventory();
  const committed = readFileSync(new URL(file, import.meta.url), 'utf8');
  const [former, today] = [entriesOf(committed), entriesOf(inventory)];
  // Before a release, what was added since the last one may be removed: by hand, in the file.
  expect(lostIn(former, today)).toEqual([]);
  const added = [...today.keys()].filter((name) => !former.has(name));
  const level = Number(/^feature level (\d+)$/m.exec(committed)?.[1]);
  const advice = `declare \`since: ${level + 1}\`; if it is an addition to a change that has already written wire.txt, keep its \`since\` and run \`git checkout main -- packages/protocol/wire.txt\` first`;
  if (added.length > 0) expect(featureLevel, `${advice}: ${added.join(', ')}`).toBeGreaterThan(level);
  // `npx vitest run --project service packages/server/transport/wire.test.ts -u` writes the file.
  await expect(inventory).toMatchFileSnapshot(file);
});

test('VERSION-2: what clients would miss is found', () => {
  const before = 'feature level 1\n\nsend\n  takes id: uuid\n  takes kind?: "a" | "b"\n  answers at: "x"\n';
  const after =
    'feature level 2\n\nsend\n  takes id: uuid\n  takes kind: "a"\n  takes more: string\nother\n  takes id: uuid\n';
  expect(lostIn(entriesOf(before), entriesOf(before))).toEqual([]);
  expect(lostIn(entriesOf(before), entriesOf(after))).toEqual([
    'send takes kind no longer knows "b"',
    'send answers at is gone',
    'send takes kind is required now',
    'send takes more is required now',
  ]);
});

test('VERSION-2: everything of the first feature level still exists, and no operation requires more fields', () => {
  const today = wirePaths();
  const missing: string[] = [];
  for (const [entry, words] of Object.entries(level1)) {
    const [then, now] = [words.split(' '), today[entry] ?? []];
    // A new required field breaks old clients; operations added since then may require anything.
    const lost = entry.endsWith(' requires')
      ? now.filter((field) => !then.includes(field))
      : then.filter((word) => word !== '' && !now.includes(word));
    missing.push(...lost.map((word) => `${entry} ${word}`));
  }
  expect(missing).toEqual([]);
});
