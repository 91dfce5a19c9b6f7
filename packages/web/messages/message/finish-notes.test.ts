import { expect, test } from 'vitest';
import { noteOf } from './finish-notes.ts';

test('WEB-70: the note of a reply ended by a restart says that its last words may be missing', () => {
  expect(noteOf('failed', 'restart')?.text).toMatch(/restarted.* The last words may be missing\./);
  expect(noteOf('complete', 'stop')).toBeNull();
});
