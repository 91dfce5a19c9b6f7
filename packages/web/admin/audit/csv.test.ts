import { expect, test } from 'vitest';
import { csvCell, csvRow } from './csv.ts';

test.each([
  ['ann', '"ann"'],
  ['say "hi", all', '"say ""hi"", all"'],
  ['=HYPERLINK("http://x.example")', `"'=HYPERLINK(""http://x.example"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['  =1+1', `"'  =1+1"`],
  ['\t=1', `"'\t=1"`],
  ["|cmd'", `"'|cmd'"`],
])('WEB-726: the cell of %s is no formula', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('WEB-726: a row has all columns, also those that it lacks', () => {
  const row = { id: '1', at: '2026-12-01T00:00:00.000Z', actor: null, action: 'signIn', target: '=a' };
  expect(csvRow({ ...row, details: { failed: 'password' } })).toBe(
    `"2026-12-01T00:00:00.000Z","","signIn","'=a","{""failed"":""password""}",""\r\n`,
  );
});
