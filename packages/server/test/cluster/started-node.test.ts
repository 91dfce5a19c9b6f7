import { type Actor, createWorld, type TestSocket, type World } from '@parley/testing';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { ReplyReplicas } from '../../replies/reply-replicas.ts';
import { loadReplicas } from '../../cluster/load-replicas.ts';
import { openStreams } from '../../store/turns.ts';
import { messageOf, scene } from '../helpers/stream-stage.ts';

/** An open reply on the first of two nodes, with text and a part, that is stored and does not change. */
async function idleReply(world: World) {
  world.stayOnFirst();
  const { bob, reply } = await scene(world);
  await reply.append('Well');
  await reply.part({ id: 'n', type: 'notice', text: 'A moment.' });
  await reply.append(', now');
  await world.settle();
  const [first] = world.services;
  const stream = first?.streams.find(reply.id);
  if (!first || !stream) throw new Error('the first node has the reply');
  await first.streams.checkpoints.store(stream);
  return { first, bob, reply, stream };
}

const through = (world: World, at: number): void => void (world.balancer.choose = (targets) => targets[at]);

async function shownBy(world: World, at: number, { reader, id }: { reader: Actor; id: string }) {
  through(world, at);
  const message = await messageOf(reader, id);
  return message && { text: message.content, revision: message.content_revision, parts: message.parts };
}

describeCluster('a node that has just started', () => {
  test('CLUSTER-10: a node that has just started requests open replies whole, also those that do not change', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { bob, reply, stream } = await idleReply(world);
    await world.replaceNode(1);
    const its = { reader: bob, id: reply.id };
    const stored = stream.revision;
    expect((await shownBy(world, 1, its))?.revision).toBeGreaterThanOrEqual(stored);
    const owned = () => ({ ...stream.numbered.open, text: 'Well, now' });
    await expect.poll(() => world.services[1]?.replicas.tornOwners().size).toBe(0);
    await world.settle();
    expect(stream.revision).toBe(stored + 1);
    expect(await shownBy(world, 1, its)).toEqual(owned());
    expect(await shownBy(world, 0, its)).toEqual(owned());
    // From here on sockets on both nodes receive the same.
    for (const caps of ['ext', 'ext,patch']) {
      const sockets: TestSocket[] = [];
      for (const at of [0, 1]) {
        through(world, at);
        sockets.push(await bob.socket(caps));
      }
      through(world, 0);
      await reply.append(` (${caps})`);
      await reply.part({ id: caps, type: 'notice', text: 'Still here.' });
      for (const socket of sockets) {
        await socket.event('messagePart', ({ part }) => part.id === caps);
        await socket.event(caps === 'ext' ? 'messageDelta' : 'messageDraftPatch');
      }
      await world.settle();
      const [one, other] = sockets.map(({ frames }) =>
        frames
          .filter(({ params }) => params['id'] === reply.id)
          .map(({ seq, method, params }) => [seq, method, params]),
      );
      expect(one?.length).toBeGreaterThan(1);
      expect(other).toEqual(one);
    }
    await reply.finish();
  });

  test('CLUSTER-10: a request that is lost is repeated while a part of a reply is missing', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { bob, reply, stream } = await idleReply(world);
    const second = world.services[1];
    const [row] = (await second?.read.all(openStreams)) ?? [];
    if (!second || !row) throw new Error('there are two nodes and a reply');
    const { others, replicas } = second;
    const ask = others.askForStreams;
    let isLost = false;
    others.askForStreams = () => {
      isLost = true;
      others.askForStreams = ask;
    };
    const delta = { delta: 'b', offset: 99, content_revision: stream.revision };
    const event = {
      seq: 1,
      scope: 1,
      kind: 'messageDelta' as const,
      params: JSON.stringify(delta),
      draft: row.message_key,
    };
    expect(replicas.heard(event, row.node_key)).toBe(false);
    expect([isLost, replicas.tornOwners()]).toEqual([true, new Set([row.node_key])]);
    await expect.poll(() => replicas.tornOwners().size).toBe(0);
    expect(await shownBy(world, 1, { reader: bob, id: reply.id })).toEqual({
      ...stream.numbered.open,
      text: 'Well, now',
    });
    await reply.finish();
  });

  test('CLUSTER-10: until then it shows what is stored, with the revision of that time; its own replies have no replica', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { first, reply, stream } = await idleReply(world);
    const [row] = await first.read.all(openStreams);
    if (!row) throw new Error('the reply is stored');
    const { read } = first;
    const { revisionBlock } = first.settings;
    const torn: number[] = [];
    const load = async (node: number): Promise<ReplyReplicas> => {
      const replicas = new ReplyReplicas((owner) => torn.push(owner));
      await loadReplicas(replicas, { read, node, revisionBlock });
      return replicas;
    };
    const elsewhere = await load(row.node_key + 1);
    const { revision } = stream;
    expect(elsewhere.find(reply.id)?.numbered.open).toEqual({
      text: 'Well, now',
      revision,
      parts: stream.numbered.open.parts,
    });
    expect(elsewhere.tornOwners()).toEqual(new Set([row.node_key]));
    expect((await load(row.node_key)).size).toBe(0);
    await reply.finish();
  });
});
