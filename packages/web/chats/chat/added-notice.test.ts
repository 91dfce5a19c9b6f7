import { expect, test } from 'vitest';
import { addedOf, addedText } from './added-notice.ts';

test.each([
  [{ kind: 'members_added', targets: ['ben', 7, 'ann:helper'] }, { usernames: ['ben', 'ann:helper'] }],
  [{ kind: 'members_added', targets: [] }, null],
  [{ kind: 'members_added', targets: 'ben' }, null],
  [{ kind: 'channel_created', data: { channel_id: 'c' } }, { channelId: 'c' }],
  [{ kind: 'channel_created', data: { channel_id: 7 } }, null],
  [{ kind: 'call_started', targets: ['ben'] }, null],
  [null, null],
])('of %j the app reads %j', (service, added) => {
  expect(addedOf(service)).toEqual(added);
});

const ann = { kind: 'human', username: 'ann', display_name: 'Ann' } as const;
const told = { sender: ann, nameOf: (name: string) => (name === 'ben' ? 'Ben' : undefined), titleOf: () => undefined };

test.each([
  ['ann', ['ben'], 'You added Ben'],
  ['cleo', ['ben', 'dora'], 'Ann added Ben and @dora'],
  ['ben', ['ben'], 'Ann added you'],
  ['ben', ['ben', 'dora'], 'Ann added you and @dora'],
  ['cleo', ['ben', 'd', 'e', 'f', 'g'], 'Ann added Ben, @d, @e, and 2 more'],
])('%s reads of %j: %s', (me, usernames, text) => {
  expect(addedText({ ...told, me, added: { usernames } })).toBe(text);
});

test('a channel is called by the title that it has now', () => {
  const channel = { ...told, added: { channelId: 'c' } };
  expect(addedText({ ...channel, me: 'ann' })).toBe('You created the channel “…”');
  expect(addedText({ ...channel, me: 'ben', titleOf: () => 'news' })).toBe('Ann created the channel “news”');
});
