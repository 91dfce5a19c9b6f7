import { builtInToolTitles } from '@parley/protocol/built-in-tools';
import { expect, test } from 'vitest';
import { toolTitle } from './tool-title.ts';

test('WEB-430: tools of the service are called in the words of the app, those of others as they say', () => {
  for (const [name, title] of Object.entries(builtInToolTitles)) expect(toolTitle({ name, title })).toBe(title);
  expect(toolTitle({ name: 'remind', title: 'Pay the bill' })).toBe('Pay the bill');
  expect(toolTitle({ name: 'remind' })).toBe('remind');
  expect(toolTitle({ name: 'constructor', title: 'Build' })).toBe('Build');
});
