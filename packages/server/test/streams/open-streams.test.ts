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
