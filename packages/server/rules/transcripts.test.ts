import { expect, test } from 'vitest';
import { soundName, transcriptionModelOf } from './transcripts.ts';

test.each([
  ['audio/webm', 'voice.webm'],
  ['audio/mp4', 'voice.m4a'],
  ['audio/mpeg', 'voice.mp3'],
  ['audio/ogg; codecs=opus', 'voice.ogg'],
  ['audio/x-flac', 'voice.flac'],
  ['audio/aac', 'voice.aac'],
])('TRANSCRIPT-6: %s is sent as %s', (type, name) => {
  expect(soundName(type)).toBe(name);
});

test.each([
  [['gpt-5.1', 'gpt-4o-transcribe'], 'gpt-4o-transcribe'],
  [['whisper-large-v3', 'whisper-1'], 'whisper-large-v3'],
  [['gpt-4o-transcribe-diarize', 'gpt-realtime-whisper', 'llama'], undefined],
])('TRANSCRIPT-6: of %j the model for transcripts is %s', (ids, id) => {
  expect(transcriptionModelOf(ids.map((one) => ({ id: one })))).toBe(id);
});
