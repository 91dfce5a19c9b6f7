import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';

test('ALERT-7: the alert of a bot that ends its reply as failed says so in words', async () => {
  await using world = await createWorld();
  const ann = await world.person('ann');
  const bot = await world.bot(ann, 'helper');
  const { id: chat_id } = await world.direct(ann, bot);
  const socket = await ann.socket();
  const asked = await ann.api.sendMessage({ chat_id, text: 'hello' });
  const { id: message_id } = await bot.api.startMessageStream({ chat_id, reply_to_message_id: asked.id });
  await bot.api.finishMessageStream({ message_id, status: 'failed' });
  expect(await socket.event('alert')).toMatchObject({
    text: expect.stringMatching(/^The reply of .+ failed: its program reported an error\.$/),
    reason: 'bot',
  });
});
