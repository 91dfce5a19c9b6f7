import { expect, test } from 'vitest';
import { codeLanguage, documentKind } from './document-kind.ts';

const file = (name: string, mime_type = 'application/octet-stream') =>
  ({ id: 'id', kind: 'file', name, mime_type }) as const;

test.each([
  [file('plan', 'application/pdf'), 'pdf'],
  [file('Sales.CSV'), 'table'],
  [file('sales.tsv'), 'table'],
  [file('notes.md'), 'markdown'],
  [file('main.rs'), 'code'],
  [file('Dockerfile'), 'code'],
  [file('page.html'), 'code'],
  [file('server.log'), 'text'],
  [file('README'), 'text'],
  [file('unknown', 'text/plain'), 'text'],
  [file('program.exe'), null],
  [file('photos.zip', 'application/zip'), null],
  // What the service has recognized counts, not the name.
  [file('photos.md', 'application/zip'), null],
  [file('film.ts', 'video/mp2t'), null],
  [{ ...file('elsewhere.pdf', 'application/pdf'), id: undefined }, null],
])('WEB-394: %j is shown as %s', (attachment, kind) => {
  expect(documentKind(attachment)).toBe(kind);
});

test('WEB-395: code has the colours of the language that its name says', () => {
  expect(codeLanguage(file('main.rs'))).toBe('rust');
  expect(codeLanguage(file('Makefile'))).toBe('make');
});
