import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { asking, results, toolParts } from './hands-stage.ts';
import { own, ownScene } from './own-tools-stage.ts';

test('DEL-5, OWN-9: what an agent has found is kept nowhere, and a reply that goes on reads it as it is then', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, chat, answers, ask, reply, decisions } = await ownScene(world, { others: [bob] });
  const { id } = await bob.api.sendMessage({ chat_id: chat.id, text: 'The melon is secret' });
  await bob.api.sendMessage({ chat_id: chat.id, text: 'The melon is ripe' });
  answers(
    asking(own('search_messages', { query: 'melon' }), own('ask', { question: 'Which?', options: ['This'] })),
    asking(own('ask', { question: 'Sure?', options: ['Yes'] })),
    { chunks: ['This one.'] },
  );
  await ask('find it');
  const shown = async () => JSON.stringify([await ann.api.getToolCalls({}), await reply()]);
  expect(await shown()).not.toContain('secret');
  const part_id = toolParts(await reply()).find(({ name }) => name === 'search_messages')?.id ?? '';
  const share = async () => ann.api.shareToolCall({ message_id: (await reply()).id, part_id });
  await expect(share()).rejects.toMatchObject({ status: 403 });
  await bob.api.deleteMessages({ message_ids: [id] });
  await ann.api.decide({ decision_id: (await decisions()).at(-1)?.id ?? '', option: 'option_1' });
  await world.turnsEnded();
  expect(results(world, agent).join(' ')).toContain('The melon is ripe');
  expect(results(world, agent).join(' ')).not.toContain('secret');
  await ann.api.decide({ decision_id: (await decisions()).at(-1)?.id ?? '', option: 'option_1' });
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'This one.' });
  expect(await shown()).not.toContain('melon is');
  await expect(share()).rejects.toMatchObject({ status: 403 });
  expect(toolParts(await reply())[0]).toMatchObject({ name: 'search_messages', status: 'done' });
});
