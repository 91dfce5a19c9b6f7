import { expect, test } from 'vitest';
import { attachmentText } from './attachment-text.ts';

test.each([
  [[], ''],
  [[{ kind: 'photo' }], 'Photo'],
  [[{ kind: 'photo', name: 'a.png' }, { kind: 'photo' }, { kind: 'file', name: 'b' }], 'Photo +2'],
  [[{ kind: 'file', name: 'notes.txt' }], '📎 notes.txt'],
  [[{ kind: 'file', name: '../\u202egnp.exe' }], '📎 gnp.exe'],
  [[{ kind: 'file' }], '📎 file'],
  [[{ kind: 'file', name: 'voice-2026-01-01.webm', waveform: 'AAE=' }], 'Voice message'],
  [[{ kind: 'news', title: 'What\nhappened?' }], 'What happened?'],
  [[{ kind: 'ticker' }, { kind: 'photo' }], ''],
] as const)('PUSH-19: the line for %j is %j', (attachments, text) => {
  expect(attachmentText(attachments)).toBe(text);
});
