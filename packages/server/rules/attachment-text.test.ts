import { expect, test } from 'vitest';
import { attachmentText, contentsOf } from './attachment-text.ts';

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

test.each([
  [[], undefined],
  [[{ kind: 'photo' }], { kind: 'photo', more: 0 }],
  [[{ kind: 'photo', name: 'a.png' }, { kind: 'photo' }, { kind: 'file', name: 'b' }], { kind: 'photo', more: 2 }],
  [[{ kind: 'file', name: 'voice.webm', waveform: 'AAE=' }, { kind: 'photo' }], { kind: 'voice_message', more: 1 }],
  // A client shows the name of a file and the title of news instead.
  [[{ kind: 'file', name: 'notes.txt' }, { kind: 'photo' }], undefined],
  [[{ kind: 'news', title: 'What happened?' }], undefined],
] as const)('INBOX-8: the contents of %j are %j', (attachments, contents) => {
  expect(contentsOf(attachments)).toEqual(contents);
});
