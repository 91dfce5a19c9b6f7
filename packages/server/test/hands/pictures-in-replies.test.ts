import { type Actor, createWorld, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { expect, test } from 'vitest';
import { LockCoverage } from '../cluster/lock-coverage.ts';
import { get, photo } from '../helpers/file-stage.ts';
import { keyedAgent } from '../helpers/agents.ts';

const wire = (...chunks: object[]): string =>
  `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta }], ...more });
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const address = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const image = (url: string) => ({ type: 'image_url', image_url: { url } });

async function scene(world: World) {
  const ann: Actor = await world.person('ann');
  const agent = await keyedAgent(world, ann, 'provider_b');
  const chat = await ann.api.startChat({ username: agent.username });
  return {
    ann,
    agent,
    chat,
    /** The model answers with this, and its reply has ended. */
    async answered(raw: string) {
      world.providers.script(agent.key, { raw });
      await ann.api.sendMessage({ chat_id: chat.id, text: 'Draw' });
      await world.turnsEnded();
      const { items } = await ann.api.getChatHistory({ chat_id: chat.id });
      const reply = items.findLast(({ sender }) => sender.username === agent.username);
      if (!reply) throw new Error('there is no reply');
      return reply;
    },
  };
}

test('PICTURE-6: a picture in a model’s answer is a photo of the reply, in each form that servers send, once', async () => {
  await using world = await createWorld();
  const { answered } = await scene(world);
  const [red, blue] = [await photo('png', { width: 8, height: 8 }), await photo('jpeg', { width: 9, height: 9 })];
  const usage = { usage: { prompt_tokens: 12, completion_tokens: 1_300, total_tokens: 1_312 } };
  const reply = await answered(
    wire(
      chunk({ role: 'assistant', content: 'Here it is:' }),
      // OpenRouter; LiteLLM leaves the type out; a server that repeats what it has sent.
      chunk({ content: '', images: [{ ...image(address(red)), index: 0 }] }),
      chunk({ images: [{ image_url: { url: address(blue, 'image/jpeg') } }] }),
      chunk({ content: [image(address(red))] }),
      chunk({}, usage),
      end,
    ),
  );
  expect(reply).toMatchObject({
    status: 'complete',
    content: 'Here it is:',
    usage: { input_tokens: 12, output_tokens: 1_300 },
  });
  expect(reply.attachments).toMatchObject([
    { kind: 'photo', name: 'picture.png', width: 8, alt: 'Here it is:' },
    { kind: 'photo', name: 'picture.jpg', width: 9, alt: 'Here it is:' },
  ]);
  expect(Buffer.from(await (await get(world, reply.attachments[0]?.url)).arrayBuffer())).toEqual(red);
  const alone = await answered(wire(chunk({ images: [image(address(red))] }), end));
  expect(alone).toMatchObject({ status: 'complete', content: '', attachments: [{ kind: 'photo' }] });
});

test('PICTURE-6: a picture of several MiB in one event is kept; four are at most', async () => {
  await using world = await createWorld();
  const { answered } = await scene(world);
  const large = await photo('png', { width: 1_500, height: 1_000, isNoise: true });
  expect(large.length).toBeGreaterThan(2 * 1024 * 1024);
  const reply = await answered(wire(chunk({ content: 'Large.', images: [image(address(large))] }), end));
  expect(reply).toMatchObject({ status: 'complete', content: 'Large.', attachments: [{ size: large.length }] });
  const many = await Promise.all([1, 2, 3, 4, 5].map((width) => photo('png', { width, height: 1 })));
  const five = await answered(wire(...many.map((bytes) => chunk({ images: [image(address(bytes))] })), end));
  expect(five.attachments).toHaveLength(4);
  expect(five.parts).toMatchObject([{ type: 'notice', cause: { kind: 'picture_lost' } }]);
});

test('PICTURE-6: what is no picture is said in a notice, and addresses are fetched through the guard alone', async () => {
  await using elsewhere = await startModelServer();
  await using world = await createWorld();
  const { answered } = await scene(world);
  const png = await photo('png');
  for (const url of [
    `${elsewhere.origin}/secret`,
    'file:///etc/passwd',
    'picture:0',
    address(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
    address(png.subarray(0, png.length - 30)),
    `${address(png)}!`,
    'x'.repeat(200_000),
  ]) {
    const reply = await answered(wire(chunk({ content: 'Look:', images: [image(url)] }), end));
    expect(reply).toMatchObject({ status: 'complete', content: 'Look:', attachments: [] });
    expect(reply.parts).toMatchObject([{ type: 'notice', cause: { kind: 'picture_lost' } }]);
  }
  expect(elsewhere.requests).toEqual([]);
  // What only looks like one of them changes nothing.
  const odd = { choices: [{ index: 0, delta: { content: 'Fine.', images: [7, null, { image_url: 5 }, {}] } }] };
  expect(await answered(wire(odd, { images: [image(address(png))] }, end))).toMatchObject({
    content: 'Fine.',
    attachments: [],
  });
});

test('PICTURE-6, TURN-4: a reply that had a picture when the process died does not ask for it again', async () => {
  await using world = await createWorld();
  const { ann, agent, chat } = await scene(world);
  const steered = agent.steer();
  await ann.api.sendMessage({ chat_id: chat.id, text: 'Draw' });
  await steered.started;
  steered.raw(`data: ${JSON.stringify(chunk({ images: [image(address(await photo('png')))] }))}\n\n`);
  const kept = () => world.sql(`SELECT 1 AS one FROM messages WHERE record LIKE '%picture.png%'`);
  while ((await kept()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await world.crash();
  await world.restart();
  await world.turnsEnded();
  const { items } = await ann.api.getChatHistory({ chat_id: chat.id });
  expect(items.at(-1)).toMatchObject({ status: 'failed', finish_reason: 'restart', attachments: [{ kind: 'photo' }] });
  expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
});

test('PICTURE-6: one that a vendor does not report counts for another person on the owner’s key as estimated', async () => {
  await using world = await createWorld();
  const { ann, agent } = await scene(world);
  const bob = await world.person('bob');
  const { id: chat_id } = await world.group(ann, bob);
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username });
  world.providers.script(agent.key, { raw: wire(chunk({ images: [image(address(await photo('png')))] }), end) });
  await bob.api.sendMessage({ chat_id, text: `@${agent.username} draw` });
  await world.turnsEnded();
  const { items } = await ann.api.getUsage({});
  expect(items.find(({ username }) => username === 'bob')?.owner_key_tokens).toBeGreaterThan(6_500);
});

embeddedTest('triggers of SQLite note the rows that are written')(
  'CLUSTER-51: the rows of a picture in a reply are covered by the locks of its unit',
  async () => {
    const coverage = new LockCoverage();
    await using world = await createWorld({ startStore: coverage.store.start });
    const { answered } = await scene(world);
    await answered(wire(chunk({ images: [image(address(await photo('png')))] }), end));
    expect([...coverage.uncovered]).toEqual([]);
    expect(coverage.written).toContain('keepPicture');
  },
);
