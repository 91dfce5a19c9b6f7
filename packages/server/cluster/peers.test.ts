import { createWorld } from '@parley/testing';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';

describeCluster('State on another node', () => {
  test('CLUSTER-4: a node that was not notified of an open reply finds it in the store', async () => {
    // Without Redis, a node learns of a reply only from the store, some time after the other node has stored it.
    const env = { REDIS_URL: 'redis://127.0.0.1:1' };
    await using world = await createWorld({ nodes: 2, env, expectsErrors: true });
    let node = 0;
    world.balancer.choose = (targets) => targets[node];
    const { alice } = await world.people('alice');
    const bot = await world.bot(alice);
    const chat = await world.group(alice);
    await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: bot.username });
    const { id: message_id } = await bot.api.startMessageStream({ chat_id: chat.id });
    node = 1;
    const asked = bot.api.appendMessageStream({ message_id, delta: 'so', offset: 2 });
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    node = 0;
    expect(await bot.api.appendMessageStream({ message_id, delta: 'so', offset: 2 })).toMatchObject({ offset: 2 });
    await bot.api.finishMessageStream({ message_id });
  });

  test('LOG-18: while another node does not list its sockets, getUpdates over HTTP applies no caps', async () => {
    // Without Redis no node can call another.
    const env = { REDIS_URL: 'redis://127.0.0.1:1' };
    await using world = await createWorld({ nodes: 2, env, expectsErrors: true });
    world.stayOnFirst();
    const { alice, bob } = await world.people('alice', 'bob');
    const bot = await world.bot(alice);
    const { id: chat_id } = await world.group(alice, bob);
    await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
    const { head: since } = await bob.api.getChats();
    const { id: message_id } = await bot.api.startMessageStream({ chat_id });
    const socket = await bob.socket('nodrafts');
    const { frames } = await bob.api.getUpdates({ since });
    expect(frames.map(({ method }) => method)).toEqual(['events.messageNew']);
    await socket.close();
    await bot.api.finishMessageStream({ message_id });
  });
});
