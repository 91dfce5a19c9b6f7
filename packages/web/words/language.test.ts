import { expect, test } from 'vitest';
import { localeOf } from './language.ts';

test.each([
  ['de', ['fr', 'de-AT', 'de'], 'de-AT'],
  ['de', ['fr'], 'de'],
  ['en', ['en-US@posix'], 'en'],
  ['zh', ['zh-CN'], 'zh-Hans-CN'],
  ['zh', ['zh-TW', 'zh'], 'zh-Hans-TW'],
  ['zh', ['zh-Hant-HK'], 'zh-Hans-HK'],
] as const)('WEB-362: dates in %s, in a browser that prefers %j, are written as in %s', (language, tags, locale) => {
  expect(localeOf(language, tags)).toBe(locale);
});
