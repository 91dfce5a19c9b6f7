import { expect, test } from 'vitest';
import { codeLanguage, documentKind } from './document-kind.ts';

const file = (name: string, mime_type = 'application/octet-stream') =>
  ({ id: 'id', kind: 'file', name, mime_type }) as const;

const named: readonly (readonly [string, string])[] = [
  ['Sales.CSV', 'table'],
  ['sales.tsv', 'table'],
  ['notes.md', 'markdown'],
  ['main.rs', 'code'],
  ['Dockerfile', 'code'],
  ['page.html', 'code'],
  ['server.log', 'text'],
  ['README', 'text'],
];

test.each<readonly [Parameters<typeof documentKind>[0], string | null]>([
  // Most texts are text/plain to the service; those with unusual bytes have no known type.
  ...named.map(([name, kind]) => [file(name), kind] as const),
  ...named.map(([name, kind]) => [file(name, 'text/plain'), kind] as const),
  [file('plan', 'application/pdf'), 'pdf'],
  [file('unknown', 'text/plain'), 'text'],
  [file('program.exe'), null],
  [file('photos.zip', 'application/zip'), null],
  // What the service has recognized counts, not the name.
  [file('photos.md', 'application/zip'), null],
  [file('film.ts', 'video/mp2t'), null],
  [{ ...file('elsewhere.pdf', 'application/pdf'), id: undefined }, null],
])('%j is shown as %s', (attachment, kind) => {
  expect(documentKind(attachment)).toBe(kind);
});

test('WEB-395: code has the colours of the language that its name says', () => {
  expect(codeLanguage(file('main.rs'))).toBe('rust');
  expect(codeLanguage(file('Makefile'))).toBe('make');
});
