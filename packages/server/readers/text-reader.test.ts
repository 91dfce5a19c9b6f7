import { expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { slackText } from '../rules/slack-message.ts';
import { readingOf, unread } from '../rules/text-reading.ts';
import { ReaderThread } from './reader-thread.ts';
import { TextReader } from './text-reader.ts';

const worst = `${'*_'.repeat(8_000)} @bob https://one.example {% button action="buy" /%}`;
const clock = () => new ManualClock(0);
const unexpected = (error: Error): void => {
  throw error;
};

test('ERR-14: a long text is read in another thread, with the same result', async () => {
  const reader = new TextReader(clock(), unexpected);
  const reading = await reader.read(worst, 1);
  await reader.close();
  expect(reading).toEqual(readingOf(worst));
  expect(reading).toMatchObject({ mentions: ['bob'], hasLink: true, actions: ['buy'] });
});

test('ERR-14: owners take turns', { tags: ['long'] }, async () => {
  const reader = new TextReader(clock(), unexpected);
  const done: string[] = [];
  const read = (name: string, owner: number) => reader.read(worst, owner).then(() => done.push(name));
  await Promise.all([read('a1', 1), read('a2', 1), read('a3', 1), read('b1', 2)]);
  await reader.close();
  expect(done.indexOf('b1')).toBeLessThan(done.indexOf('a3'));
});

test('ERR-14: a text that takes too long twice counts as empty, and the next one is read', async () => {
  const time = clock();
  const faults: string[] = [];
  const reader = new TextReader(time, (error) => faults.push(error.message));
  const slow = reader.read(worst, 1);
  await time.advance(30_000);
  const next = reader.read(worst, 1);
  await time.advance(30_000);
  expect(await slow).toEqual(unread);
  expect(await next).toMatchObject({ mentions: ['bob'] });
  expect(faults).toEqual(['a text took too long to read', 'a text took too long to read']);
  await reader.close();
});

test('ERR-14: a text that was not read because the service stops is refused, not stored as an empty one', async () => {
  const reader = new TextReader(clock(), unexpected);
  const both = Promise.allSettled([reader.read(worst, 1), reader.read(worst, 1)]);
  await reader.close();
  const unavailable = { reason: { code: 'unavailable' } };
  expect(await both).toMatchObject([unavailable, unavailable]);
  await expect(reader.read(worst, 1)).rejects.toMatchObject({ code: 'unavailable' });
});

test('ERR-14: an owner has at most 256 texts waiting, and others go on', async () => {
  const reader = new TextReader(clock(), unexpected);
  const many = Promise.allSettled(Array.from({ length: 257 }, () => reader.read(worst, 1)));
  await expect(reader.read(worst, 1)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await reader.read(worst, 2)).toMatchObject({ mentions: ['bob'] });
  await reader.close();
  await many;
});

test('ERR-14: a long post in Slack’s form becomes a text in another thread, with the same result', async () => {
  const post = {
    text: 'for notifications',
    attachments: [
      { fields: Array.from({ length: 2_000 }, () => ({ title: '<b>', value: '*a* <https://a.example|b>' })) },
    ],
    username: 'ci',
  };
  const reader = new TextReader(clock(), unexpected);
  const text = await reader.textOfPost(post, 1);
  await reader.close();
  expect(text).toBe(slackText(post));
});

test('ERR-14: a post that takes too long is refused', async () => {
  const time = clock();
  const reader = new TextReader(time, () => {});
  const text = reader.textOfPost({ text: '*a* '.repeat(1_000) }, 1);
  const refused = { code: 'invalid_argument', parameters: { field: 'body' } };
  const [answer] = await Promise.allSettled([text, time.advance(30_000).then(() => time.advance(30_000))]);
  expect(answer).toMatchObject({ reason: refused });
  await reader.close();
});

test('ERR-14: a page is read in another thread', async () => {
  const thread = new ReaderThread(clock(), unexpected);
  const page = {
    url: 'https://a.example/',
    contentType: 'text/html',
    bytes: Buffer.from('<title>Hello</title><body>'),
  };
  const found = await thread.run('page', page, 1);
  await thread.close();
  expect(found).toEqual({ preview: { url: 'https://a.example/', title: 'Hello' }, isOver: true });
});
