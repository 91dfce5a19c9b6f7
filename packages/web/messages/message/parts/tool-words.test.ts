import { expect, test } from 'vitest';
import { codeOf } from './tool-words.ts';

test('what a tool was given and answered is shown as indented JSON, a string as it is', () => {
  expect(codeOf({ q: 'trains', page: [1, null] })).toBe('{\n  "q": "trains",\n  "page": [\n    1,\n    null\n  ]\n}');
  expect(codeOf('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}');
  expect([codeOf(null), codeOf(0), codeOf(false), codeOf([])]).toEqual(['null', '0', 'false', '[]']);
  expect([codeOf(undefined), codeOf(''), codeOf({})]).toEqual(['', '', '']);
});
