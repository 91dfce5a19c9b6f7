import { checkReplay, createWorld, ManualClock, unknownId } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';
import { get } from '../helpers/file-stage.ts';

test('CONV-13: a muted channel is muted for the caller alone, until it is unmuted or the time is over', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const group = await world.group(ann, bob);
  const chat_id = group.id;
  const news = await ann.api.createChannel({ chat_id, title: 'news' });
  const talk = await ann.api.createChannel({ chat_id, title: 'talk' });
  const channels = async (who = ann) => (await who.api.getChat({ chat_id })).channels;
  const mute = (is_muted: boolean, mute_for?: number) =>
    ann.api.setChatNotifications({ chat_id, channel_id: news.id, is_muted, mute_for });
  const plain = await channels();
  await checkReplay(world, [ann, bob], async () => {
    const answer = await mute(true);
    expect(answer.is_muted).toBe(false);
    expect(answer.channels).toEqual([{ ...plain[0], is_muted: true }, plain[1]]);
    // A change of the channels for everyone leaves what one account has for itself.
    await ann.api.deleteChannel({ chat_id, channel_id: talk.id });
  });
  expect(await channels(bob)).toEqual([plain[0]]);
  expect(await channels()).toEqual([{ ...plain[0], is_muted: true }]);
  await checkReplay(world, [ann, bob], () => mute(false));
  expect(await channels()).toEqual([plain[0]]);
  const muted_until = new Date(clock.now() + 60_000).toISOString();
  await checkReplay(world, [ann, bob], () => mute(true, 60));
  expect(await channels()).toEqual([{ ...plain[0], is_muted: true, muted_until }]);
  await clock.advance(60_000);
  expect(await channels()).toEqual([plain[0]]);
  // Who leaves and comes back finds nothing muted.
  await bob.api.setChatNotifications({ chat_id, channel_id: news.id, is_muted: true });
  await bob.api.leaveChat({ chat_id });
  await ann.api.addMembers({ chat_id, usernames: ['bob'] });
  expect(await channels(bob)).toEqual([plain[0]]);
  await mute(true);
  await ann.api.deleteChannel({ chat_id, channel_id: news.id });
  expect(await world.sql('SELECT * FROM channel_mutes')).toEqual([]);
  const other = await world.group(ann, cleo);
  for (const [who, given, status] of [
    [ann, { chat_id, channel_id: news.id }, 404],
    [ann, { chat_id: other.id, channel_id: unknownId }, 404],
    [cleo, { chat_id, channel_id: talk.id }, 403],
    [ann, { chat_id, channel_id: 'news' }, 400],
  ] as const)
    await expect(who.api.setChatNotifications({ ...given, is_muted: true })).rejects.toMatchObject({ status });
});

test('CONV-13, PUSH-1: messages of a muted channel and its threads are not pushed, and no badge counts them', () =>
  withPushes(
    async ({ world, push, pushed }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: chat_id } = await world.group(alice, bob);
      const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'news' });
      const root = await bob.api.sendMessage({ chat_id, channel_id, text: 'the root' });
      await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob') });
      await bob.api.setChatNotifications({ chat_id, channel_id, is_muted: true });
      await alice.api.sendMessage({ chat_id, channel_id, text: 'quiet' });
      await alice.api.sendMessage({ chat_id, channel_id, thread_root_id: root.id, text: 'quiet too' });
      await pushed();
      await alice.api.sendMessage({ chat_id, text: 'loud' });
      await pushed();
      const bodies = () => push.of('bob').map(({ payload }) => [payload?.['body'], payload?.['badge']]);
      expect(bodies()).toEqual([['alice: loud', 1]]);
      // Counted as unread where the client says which are muted, and not in the inbox.
      const { unread_count, channels } = await bob.api.getChat({ chat_id });
      expect([unread_count, channels]).toEqual([
        3,
        [{ id: channel_id, title: 'news', unread_count: 2, is_muted: true }],
      ]);
      expect((await bob.api.getInbox()).items).toEqual([]);
      await bob.api.setChatNotifications({ chat_id, channel_id, is_muted: false });
      await alice.api.sendMessage({ chat_id, channel_id, thread_root_id: root.id, text: 'heard again' });
      await pushed();
      expect(bodies().at(-1)).toEqual(['alice: heard again', 4]);
      expect((await bob.api.getInbox()).items).toMatchObject([{ reason: 'thread' }]);
    },
    { clock: new ManualClock() },
  ));

test('CONV-13, EXPORT-2: an export names the channels that the account has muted', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { id: channel_id } = await ann.api.createChannel({ chat_id, title: 'news' });
  await ann.api.setChatNotifications({ chat_id, channel_id, is_muted: true });
  const { url } = await ann.api.exportMyData();
  // The form that EXPORT-2 defines.
  const { conversations } = (await (await get(world, url)).json()) as { conversations: { id: string }[] };
  expect(conversations.find(({ id }) => id === chat_id)).toMatchObject({ muted_channels: [{ title: 'news' }] });
});
