// In which respects asking is like sending a message (DECIDE-1).
import { createWorld } from '@parley/testing';
import { namedPage, startPageServer } from '@parley/testing/providers/page-server.ts';
import { expect, test } from 'vitest';
import { keyedAgent } from '../helpers/agents.ts';
import { refused, scene } from './scene.ts';

test('DECIDE-1: a decision quotes, stands in a channel or thread, has no preview of its links, and fires no agent', async () => {
  await using pages = await startPageServer();
  pages.answer = namedPage;
  await using world = await createWorld({ env: { LINK_PREVIEWS: pages.origin } });
  const { ann, ben, chat_id, ask } = await scene(world);
  const agent = await keyedAgent(world, ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username, always_on: true });
  const { id: channel_id } = await ann.api.createChannel({ chat_id, title: 'ops' });
  const said = await ben.api.sendMessage({ chat_id, channel_id, text: 'a root' });
  await world.turnsEnded();
  const before = world.providers.requestsOf(agent.key).length;

  const quoting = await ask({ channel_id, reply_to_message_id: said.id });
  expect(quoting.message).toMatchObject({ channel_id, thread_root_id: null, reply_to_id: said.id });
  const inThread = await ask({ channel_id, thread_root_id: said.id, text: `@${agent.username} ${pages.origin}/one ?` });
  expect(inThread.message).toMatchObject({ channel_id, thread_root_id: said.id, dispatch: [] });
  const [root] = (await ben.api.getMessages({ message_ids: [said.id] })).items;
  expect(root?.thread).toMatchObject({ count: 1 });
  await world.pagesRead();
  await world.turnsEnded();
  expect(pages.asked).toEqual([]);
  expect((await ben.api.getMessages({ message_ids: [inThread.message_id] })).items[0]).not.toHaveProperty(
    'link_preview',
  );
  expect(world.providers.requestsOf(agent.key)).toHaveLength(before);
});

test('DECIDE-1: decisions count towards the rate of messages, and are refused while the disk is full', async () => {
  const env: Record<string, string> = { RATE_LIMITS: '1', RATE_MESSAGES_PER_S: '1', RATE_MESSAGES_BURST: '2' };
  await using world = await createWorld({ env });
  const { ann, ben, chat_id, ask } = await scene(world);
  const at = Date.now();
  await ask();
  await ann.api.sendMessage({ chat_id, text: 'one more' });
  // On a slow machine the limit may have let one more through meanwhile.
  const next = await ask().catch((error: unknown) => error);
  if (Date.now() - at < 1_000) expect(next).toMatchObject(refused(429));
  const { decision_id } = await ask({}, ben);
  Object.assign(env, { MIN_FREE_BYTES: '900000000000000', RATE_LIMITS: '0' });
  await world.restart();
  await expect(ask()).rejects.toMatchObject(refused(503));
  // What ends a decision without data still can.
  expect((await ben.api.decide({ decision_id, option: 'yes' })).decision?.state).toBe('decided');
});
