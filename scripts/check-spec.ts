// scripts/: what the workshop itself needs; nothing of the service imports it.
import { globSync, readFileSync } from 'node:fs';
import { groupsIn, idsIn, idsOfTitles, repeatedIn, rulesIn } from './spec-rules.ts';

// Every rule of docs/SPEC.md and every ID in tests and comments, held against each other.
// A rule without a test is told, and fails the check with --strict; an unknown or doubled ID fails it always.

const isStrict = process.argv.includes('--strict');
const print = (line: string) => process.stdout.write(`${line}\n`);

const spec = readFileSync('docs/SPEC.md', 'utf8');
const groups = groupsIn(spec);
const ids = rulesIn(spec).map(({ id }) => id);
const known = new Set(ids);

const files = globSync('{packages,bench,scripts}/**/*.{ts,tsx,sql}', {
  exclude: ['**/node_modules/**', 'scripts/*.test.ts'],
});
const tested = new Set<string>();
const problems = repeatedIn(ids).map((id) => `docs/SPEC.md has ${id} twice`);
for (const id of ids) if (!groups.has(id.replace(/-\d+$/, ''))) problems.push(`docs/SPEC.md has no heading for ${id}`);

for (const file of files) {
  const source = readFileSync(file, 'utf8');
  // Suites that run against every engine lie in packages/testing.
  const titles = /\.test\.tsx?$/.test(file) || file.startsWith('packages/testing/') ? idsOfTitles(source) : [];
  for (const id of titles) tested.add(id);
  const unknown = new Set([...titles, ...idsIn(source, groups)]);
  for (const id of unknown) if (!known.has(id)) problems.push(`${file} names ${id}, which docs/SPEC.md does not have`);
}

const untested = ids.filter((id) => !tested.has(id));
if (untested.length > 0) print(`without a test: ${untested.join(' ')}`);
for (const problem of problems) print(problem);
print(`${ids.length} rules, ${untested.length} without a test, ${problems.length} unknown or doubled IDs`);
if (problems.length > 0 || (isStrict && untested.length > 0)) process.exitCode = 1;
