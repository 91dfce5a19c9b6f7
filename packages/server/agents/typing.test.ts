import type { Actor } from '@parley/protocol';
import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import type { TransientEvent } from '../log/event-log.ts';
import { chatScope } from '../core/event-kinds.ts';
import { TypingIndicators } from './typing.ts';

test('CLUSTER-6: when another node publishes typing, this node no longer publishes its end', async () => {
  const clock = new ManualClock();
  const published: TransientEvent[] = [];
  const typing = new TypingIndicators({ clock, publish: (event) => published.push(event), isLive: () => false });
  const actor: Actor = { username: 'ann', kind: 'human', display_name: 'ann' };
  const place = { chatKey: 7, chatId: 'a chat', threadRootId: null, accountKey: 3, actor };
  typing.start({ ...place, channelId: null });
  typing.start({ ...place, channelId: 'a channel' });
  const [inChat] = published;
  typing.heard({ seq: 12, scope: chatScope(7), kind: 'typing', params: inChat?.params ?? '', except: 3 }, 2);
  await clock.advance(6_000);
  expect(published.map(({ params }) => JSON.parse(params) as unknown)).toMatchObject([
    { channel_id: null, is_typing: true },
    { channel_id: 'a channel', is_typing: true },
    { channel_id: 'a channel', is_typing: false },
  ]);
});

test('TYPING-3: typing that begins while other nodes are asked about sockets is kept', async () => {
  const clock = new ManualClock();
  const published: TransientEvent[] = [];
  const answer = Promise.withResolvers<boolean>();
  const typing = new TypingIndicators({
    clock,
    publish: (event) => published.push(event),
    isLive: () => answer.promise,
  });
  const actor: Actor = { username: 'ann', kind: 'human', display_name: 'ann' };
  const place = { chatKey: 7, chatId: 'a chat', threadRootId: null, accountKey: 3, actor };
  typing.start({ ...place, channelId: null });
  typing.start({ ...place, channelId: 'a channel' });
  const gone = typing.socketGone(3);
  typing.start({ ...place, channelId: null });
  answer.resolve(false);
  await gone;
  expect(published.slice(3).map(({ params }) => JSON.parse(params) as unknown)).toMatchObject([
    { channel_id: 'a channel', is_typing: false },
  ]);
  typing.close();
});
