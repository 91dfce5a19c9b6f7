import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { rowsIn } from '../helpers/rows-in.ts';
import { scene } from '../helpers/stream-stage.ts';

/** Maximum number of open replies of a bot. */
const MOST = 100;

test('STREAM-19: a bot has at most a hundred open replies; one more is refused until one of them ends', async () => {
  await using world = await createWorld();
  const { alice, bot, chat, chat_id } = await scene(world);
  const start = (client_msg_id: string) => bot.api.startMessageStream({ chat_id, client_msg_id });
  const first = await start('first');
  // The scene has already opened one.
  for (let open = 2; open < MOST; open += 1) await start('x'.repeat(open));
  const { id: asked } = await alice.api.sendMessage({ chat_id, text: `@${bot.username} ?` });
  const answer = () => bot.api.startMessageStream({ chat_id, reply_to_message_id: asked });
  await expect(answer()).rejects.toMatchObject({
    status: 429,
    code: 'rate_limited',
    parameters: { retry_after: 1 },
  });
  expect(world.sum(({ streams }) => streams.size)).toBe(MOST);
  // A retry opens no further reply, and another bot has its own count.
  expect(await start('first')).toMatchObject({ id: first.id, resumed: true });
  const other = await botIn(world, alice, chat, 'other');
  await other.api.startMessageStream({ chat_id });
  await bot.api.finishMessageStream({ message_id: first.id, text: 'done' });
  await answer();
  expect(await rowsIn(world, "turns WHERE state = 'streaming'")).toBe(1);
});

test('STREAM-22: getOpenStreams returns the open replies of the calling bot, without those that have ended', async () => {
  await using world = await createWorld();
  const { alice, bot, chat, chat_id } = await scene(world);
  for (const { message_id } of (await bot.api.getOpenStreams()).items)
    await bot.api.finishMessageStream({ message_id });
  const { id: asked } = await alice.api.sendMessage({ chat_id, text: `@${bot.username} ?` });
  const answer = { chat_id, reply_to_message_id: asked, client_msg_id: `re:${asked}` };
  const { id: message_id, created_at } = await bot.api.startMessageStream(answer);
  await bot.api.appendMessageStream({ message_id, delta: 'so far', offset: 6 });
  const second = await bot.api.startMessageStream({ chat_id });
  const other = await botIn(world, alice, chat, 'other');
  await other.api.startMessageStream({ chat_id });
  await alice.api.stopRun({ chat_id, message_id });
  const place = { conversation_id: chat_id, channel_id: null, thread_root_id: null };
  const first = { message_id, ...place, reply_to_id: asked, client_msg_id: `re:${asked}`, created_at };
  expect((await bot.api.getOpenStreams()).items).toEqual([
    { ...first, cancel_requested: true },
    {
      message_id: second.id,
      ...place,
      reply_to_id: null,
      cancel_requested: false,
      created_at: second.created_at,
    },
  ]);
  await bot.api.finishMessageStream({ message_id: second.id });
  await world.restart();
  expect((await bot.api.getOpenStreams()).items).toEqual([{ ...first, cancel_requested: true }]);
  await expect(alice.api.getOpenStreams()).rejects.toMatchObject({ status: 403 });
});
