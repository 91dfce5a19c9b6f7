import { expect, test } from 'vitest';
import { withoutMention } from './without-mention.ts';

test.each([
  ['@ann:helper what is up?', 'what is up?'],
  ['@Ann:Helper, what is up?', 'what is up?'],
  ['@ann:helper: what is up?', 'what is up?'],
  ['what is up, @ann:helper', 'what is up,'],
  ['what is @ann:helper up to?', 'what is up to?'],
  ['@ann:helper\nline two', 'line two'],
  ['@ann:helperx and @ann', '@ann:helperx and @ann'],
  ['mail x@ann:helper', 'mail x@ann:helper'],
  ['`@ann:helper` is my name', '`@ann:helper` is my name'],
  ['@ann:helper', ''],
])('BOTSDK-1: the text of %j is %j', (text, said) => {
  expect(withoutMention(text, 'ann:helper')).toBe(said);
});
