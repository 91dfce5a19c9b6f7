// Brings the catalogues of the app's words up to date with its source: `npm run words`. New messages get an empty text,
// which a translator fills in; those that are no longer in the source are removed. The rule: WEB-361.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appSources, messagesOf } from '../packages/web/read-words.ts';

const web = join(import.meta.dirname, '../packages/web');
const used = new Set(appSources().flatMap(({ path, code }) => messagesOf(path, code).map(({ text }) => text)));
const messages = [...used].toSorted((one, other) => (one < other ? -1 : 1));

for (const path of globSync('words/catalogues/*.json', { cwd: web }).toSorted()) {
  const file = join(web, path);
  const old = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>; // a flat object of texts
  const catalogue = Object.fromEntries(messages.map((english) => [english, old[english] ?? '']));
  writeFileSync(file, `${JSON.stringify(catalogue, null, 2)}\n`);
  const missing = messages.filter((english) => catalogue[english] === '').length;
  process.stdout.write(`${path}: ${messages.length} messages, ${missing} to translate\n`);
}
