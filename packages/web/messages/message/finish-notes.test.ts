import { expect, test } from 'vitest';
import { noteOf } from './finish-notes.ts';

test('WEB-70: a reply that a restart ended says that its last words may be missing', () => {
  expect(noteOf('failed', 'restart')?.text).toMatch(/restarted.* The last words may be missing\./);
  expect(noteOf('complete', 'stop')).toBeNull();
});
