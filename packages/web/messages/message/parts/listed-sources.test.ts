import type { PartOf } from '@parley/protocol';
import { expect, test } from 'vitest';
import { listedSources } from './listed-sources.ts';

const source = (url: string, title?: string, excerpt?: string): PartOf<'source'> => ({
  id: `${url} ${excerpt}`,
  offset: 0,
  type: 'source',
  url,
  ...(title !== undefined && { title }),
  ...(excerpt !== undefined && { excerpt }),
});

test('WEB-133: each address is listed once, with all its excerpts', () => {
  const listed = listedSources([
    source('https://www.trains.example/8', undefined, 'one'),
    source('https://news.example/'),
    source('https://www.trains.example/8', 'Timetable', 'two'),
    source('https://www.trains.example/8', 'Another title', 'one'),
  ]);
  expect(listed).toEqual([
    {
      number: 1,
      url: 'https://www.trains.example/8',
      href: 'https://www.trains.example/8',
      host: 'trains.example',
      title: 'Timetable',
      label: 'Timetable',
      excerpts: ['one', 'two'],
    },
    {
      number: 2,
      url: 'https://news.example/',
      href: 'https://news.example/',
      host: 'news.example',
      title: '',
      label: 'news.example',
      excerpts: [],
    },
  ]);
});

test('WEB-133: an address that the app opens nowhere is text, and a title that reads as another host is not a label', () => {
  const labels = listedSources([
    source('javascript:alert(1)', 'A page'),
    source('https://bank.example@evil.example/', 'Bank'),
    source('https://evil.example/', 'bank.example'),
    source('https://bank.example/', 'bank.example'),
  ]).map(({ href, label }) => [href, label]);
  expect(labels).toEqual([
    [undefined, 'A page'],
    [undefined, 'Bank'],
    ['https://evil.example/', 'evil.example'],
    ['https://bank.example/', 'bank.example'],
  ]);
});
