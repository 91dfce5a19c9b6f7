// scripts/: tools for contributors. The service imports nothing from here.
import { globSync, readFileSync } from 'node:fs';
import { disorderedIn, groupsIn, idsIn, idsOfTitles, repeatedIn, rulesIn } from './spec-rules.ts';
import { isInQuickRun, withoutLong } from './test-split.ts';

// Compares the rules of docs/spec with the IDs in tests and comments. An ID without a rule, a rule that appears twice
// and rules out of order fail the check; a rule without a test fails it only with --strict. With --long it also lists the
// rules whose only tests are in `npm run test:all`.

const isStrict = process.argv.includes('--strict');
const print = (line: string) => process.stdout.write(`${line}\n`);

const INDEX = 'docs/SPEC.md';
const index = readFileSync(INDEX, 'utf8');
const groups = new Set<string>();
const ids: string[] = [];
const problems: string[] = [];

for (const file of globSync('docs/spec/*.md').toSorted()) {
  const spec = readFileSync(file, 'utf8');
  const found = rulesIn(spec).map(({ id }) => id);
  const headings = groupsIn(spec);
  ids.push(...found);
  for (const group of headings) {
    groups.add(group);
    if (!index.includes(`\`${group}\``)) problems.push(`${INDEX} does not list ${group} (${file})`);
  }
  for (const id of found) if (!headings.has(id.replace(/-\d+$/, ''))) problems.push(`${file} has no heading for ${id}`);
  for (const id of disorderedIn(found)) problems.push(`${file}: ${id} is out of order`);
}
for (const id of repeatedIn(ids)) problems.push(`${id} appears twice in docs/spec`);
const known = new Set(ids);

const files = globSync('{packages,bench,scripts}/**/*.{ts,tsx,sql}', {
  exclude: ['**/node_modules/**', 'scripts/*.test.ts'],
});
const tested = new Set<string>();
/** Rules with a test in `npm test`. */
const quick = new Set<string>();
for (const file of files) {
  const source = readFileSync(file, 'utf8');
  // packages/testing holds the contract suites that every engine runs.
  const titles = /\.test\.tsx?$/.test(file) || file.startsWith('packages/testing/') ? idsOfTitles(source) : [];
  for (const id of titles) tested.add(id);
  if (isInQuickRun(file) && titles.length > 0) for (const id of idsOfTitles(withoutLong(source))) quick.add(id);
  const unknown = new Set([...titles, ...idsIn(source, groups)]);
  for (const id of unknown) if (!known.has(id)) problems.push(`${file} names ${id}, which docs/spec does not have`);
}

const untested = ids.filter((id) => !tested.has(id));
if (untested.length > 0) print(`without a test: ${untested.join(' ')}`);
const long = ids.filter((id) => tested.has(id) && !quick.has(id));
if (process.argv.includes('--long')) print(`only in npm run test:all: ${long.join(' ')}`);
for (const problem of problems) print(problem);
print(
  `${ids.length} rules, ${untested.length} without a test, ${long.length} with tests only in npm run test:all, ${problems.length} other problems`,
);
if (problems.length > 0 || (isStrict && untested.length > 0)) process.exitCode = 1;
