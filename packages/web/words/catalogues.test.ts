import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import { describe, expect, test } from 'vitest';
import { translations } from '@parley/protocol/languages';
import { pushMessages, pushWordsOf } from '../../server/rules/push-words.ts';
import { messageIds } from '../compile-words.ts';
import { appSources, leftOut, messagesOf } from '../read-words.ts';

const web = join(import.meta.dirname, '..');
const sources = appSources();
const messages = new Set(sources.flatMap(({ path, code }) => messagesOf(path, code).map(({ text }) => text)));

test('WEB-361: every text of the app is a message', () => {
  const found = sources.flatMap(({ path, code }) =>
    leftOut(path, code).map(({ text, start }) => `${path}:${code.slice(0, start).split('\n').length}: ${text}`),
  );
  expect(found).toEqual([]);
});

test('WEB-361: a text in an element, in an attribute or in a sentence of code is found', () => {
  const code = `
    const one = <p title="Its title">Its text</p>;
    const two = t('Known') + notify(\`\${one} was sent\`);
    const joined = count + ' new messages';
    const three = element.className === 'Enter the room' || 'Not sent.';
    throw new Error('For developers only.');`;
  expect(leftOut('a.tsx', code).map(({ text }) => text)).toEqual([
    'Its title',
    'Its text',
    '… was sent',
    ' new messages',
    'Not sent.',
  ]);
});

test('WEB-361: two messages with the same ID fail the build', () => {
  const idOf = messageIds();
  expect(idOf('Message 527558')).toBe(idOf('Message 527558'));
  expect(() => idOf('Message 593130')).toThrow('"Message 527558" and "Message 593130"');
});

describe.each(translations)('the catalogue of %s', (language) => {
  const path = join(web, `words/catalogues/${language}.json`);
  const catalogue = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>; // a flat object of texts

  test('WEB-361: has every message, and no other (npm run words adds and removes them)', () => {
    expect(Object.keys(catalogue).filter((english) => !messages.has(english))).toEqual([]);
    expect([...messages].filter((english) => (catalogue[english] ?? '') === '')).toEqual([]);
  });

  test('PUSH-27: has what the service says in pushes (npm run words copies it)', () => {
    const { reminder, ...texts } = pushMessages;
    const inPushes = pushWordsOf(language);
    for (const [key, english] of Object.entries(texts)) expect(inPushes).toHaveProperty(key, catalogue[english]);
    // Between signs that set it apart from a line from right to left.
    const shown = inPushes.reminder('$& {name}').replaceAll(/[\u2068\u2069]/g, '');
    expect(shown).toBe(catalogue[reminder]?.replace('{name}', () => '$& {name}'));
  });

  test('WEB-361: uses the values and elements of the English messages', () => {
    const differing = Object.entries(catalogue).filter(([english, text]) => valuesOf(english) !== valuesOf(text));
    expect(differing).toEqual([]);
  });

  test('WEB-361: has each plural form that the language has', () => {
    const rules = new Intl.PluralRules(language);
    const forms = [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))].toSorted();
    const lacking = Object.values(catalogue).filter((text) =>
      partsOf(compile(text)).plurals.some((has) => forms.some((form) => !has.includes(form))),
    );
    expect(lacking).toEqual([]);
  });
});

test('WEB-361: French has no-break spaces where its punctuation has spaces', () => {
  const french = JSON.parse(readFileSync(join(web, 'words/catalogues/fr.json'), 'utf8')) as Record<string, string>; // a flat object of texts
  expect(Object.values(french).filter((text) => / (?:[;!?%»]|:(?!\S))|« /.test(text))).toEqual([]);
});

const valuesOf = (message: string): string => [...partsOf(compile(message)).names].toSorted().join(' ');

const PLURAL = 2;

interface Parts {
  /** Names of values and elements. */
  names: Set<string>;
  /** The forms of each plural. */
  plurals: string[][];
}

/** What a message consists of, from its compiled form: a list of texts, `#` (0) and nodes that begin with a name. */
function partsOf(list: unknown, parts: Parts = { names: new Set(), plurals: [] }): Parts {
  for (const node of Array.isArray(list) ? list : []) {
    if (!Array.isArray(node)) continue;
    const [name, type, options] = node as [string, unknown, unknown];
    parts.names.add(name);
    if (type === PLURAL) parts.plurals.push(Object.keys(options as object));
    const isElement = typeof type !== 'number' || type === 0;
    for (const inner of isElement ? [node.slice(1)] : Object.values(options ?? {})) partsOf(inner, parts);
  }
  return parts;
}
