import { expect, test } from 'vitest';
import { isReservedName } from './reserved-names.ts';

test.each([
  'Parley',
  'PARLEY guide',
  'The Parley team',
  'parley_support',
  'ParleyGuide',
  'MyParley',
  'Раrlеу guide', // Cyrillic р, а, е, у
  'ΡΑRLΕΥ', // Greek capitals
  'ParIey guide', // a capital i
  'Par1ey',
  'Par|ey',
  'Pàřļëÿ',
  'P\u0336a\u0336r\u0336l\u0336e\u0336y\u0336',
  'Par\u200bley guide', // zero width space
  'Par\u00adley', // soft hyphen
  'P a r l e y guide',
  'Par-ley',
  'par.ley',
  '𝐏𝐚𝐫𝐥𝐞𝐲 guide',
  'Ｐａｒｌｅｙ',
  'ᴘᴀʀʟᴇʏ',
  'Ⓟⓐⓡⓛⓔⓨ',
  '🅟🅐🅡🅛🅔🅨',
  '🅿🅰🆁🅻🅴🆈',
  '🇵🇦🇷🇱🇪🇾 guide',
  'Рагӏеу', // Cyrillic alone
])('ACCT-9: the name %j could pass for the service’s own', (name) => {
  expect(isReservedName(name)).toBe(true);
});

test.each([
  'Ann',
  'Guide',
  'Support',
  'Gaspar Leyton',
  'Par Leyton',
  'Charley',
  'Barley farm',
  'Parlez-vous',
  'Parle moi',
  'Парле',
  '1',
  '',
  '🙂',
  '田中',
])('ACCT-9: any account may have the name %j', (name) => {
  expect(isReservedName(name)).toBe(false);
});
