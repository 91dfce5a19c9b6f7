// Brings the catalogues of the app's words up to date with its source: `npm run words`. New messages get an empty text,
// which a translator fills in; those that are no longer in the source are removed. Then copies what the service says in
// pushes, and what the help calls the app's buttons, from the catalogues. The rules: WEB-361, PUSH-27, HELP-2.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { english } from '../packages/server/agents/guide/help/english.ts';
import { pushMessages } from '../packages/server/rules/push-words.ts';
import { appSources, messagesOf } from '../packages/web/read-words.ts';

const web = join(import.meta.dirname, '../packages/web');
const used = new Set(appSources().flatMap(({ path, code }) => messagesOf(path, code).map(({ text }) => text)));
const messages = [...used].toSorted((one, other) => (one < other ? -1 : 1));
const pushWords: Record<string, Record<string, string>> = {};

const helpLabels: Record<string, Record<string, string>> = {};
const named = new Set(
  Object.values(english.topics).flatMap(({ text }) =>
    [...text.matchAll(/\{([^{}]+)\}/g)].map(([, label = '']) => label),
  ),
);

const write = (file: string, content: object) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);

for (const path of globSync('words/catalogues/*.json', { cwd: web }).toSorted()) {
  const file = join(web, path);
  const old = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>; // a flat object of texts
  const catalogue = Object.fromEntries(messages.map((english) => [english, old[english] ?? '']));
  write(file, catalogue);
  pushWords[basename(path, '.json')] = Object.fromEntries(
    Object.entries(pushMessages).map(([key, english]) => [key, catalogue[english] || english]),
  );
  helpLabels[basename(path, '.json')] = Object.fromEntries(
    [...named].map((label) => [label, catalogue[label] || label]),
  );
  const missing = messages.filter((english) => catalogue[english] === '').length;
  process.stdout.write(`${path}: ${messages.length} messages, ${missing} to translate\n`);
}
write(join(import.meta.dirname, '../packages/server/rules/push-words.json'), pushWords);
write(join(import.meta.dirname, '../packages/server/agents/guide/help/labels.json'), helpLabels);
