import { type Actor, createWorld, ManualClock, type TestSocket } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

describeCluster('several nodes', () => {
  test('SOCKET-11: an account has at most 50 sockets on all nodes together; above that the oldest are closed on any node', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { bob } = await world.people('bob');
    const sockets: TestSocket[] = [];
    for (let count = 0; count < 54; count += 1) sockets.push(await bob.socket());
    for (const { closed } of sockets.slice(0, 4)) expect((await closed).code).toBe(1013);
    await expect.poll(() => world.sum((service) => service.sockets.count)).toBe(50);
    expect(sockets.slice(4).every(({ isOpen }) => isOpen)).toBe(true);
    for (const { sockets: own } of world.services) expect(own.count).toBeGreaterThan(10);
  });

  test('CLUSTER-7: a socket of a dead node is answered with 404, like any closed socket', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { bob } = await world.people('bob');
    const sockets = [await bob.socket(), await bob.socket()];
    const { head: since } = await bob.api.getChats({});
    await world.replaceNode(0);
    const gone = sockets.filter(({ isOpen }) => !isOpen);
    expect(gone).toHaveLength(1);
    const unknown = ['n999999999999999.5b2c8d3e-0000-4000-8000-000000000000', ...gone.map(({ hello }) => hello.socket)];
    // Twice, so that the balancer sends the call to each node.
    for (const socket of [...unknown, ...unknown]) {
      await expect(bob.api.getUpdates({ since, socket })).rejects.toMatchObject({ status: 404 });
      await bob.api.getMe();
      await expect(bob.api.wsFocus({ socket, focus: null })).rejects.toMatchObject({ status: 404 });
    }
  });

  test('CLUSTER-7: a call that names a socket runs on the socket’s node, whichever node receives it', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, bob);
    const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'hello' });
    // The node that answers has heard of the message.
    await world.settle();
    const { head: since } = await bob.api.getChats({});
    await bob.api.setMessageReaction({ message_id, emoji: '👍' });
    const sockets = [await bob.socket(), await bob.socket('ext')];
    expect(world.services.map((service) => service.sockets.count)).toEqual([1, 1]);
    for (const { hello } of sockets) {
      // The balancer alternates, so each node receives the call for its own socket and for the other node's.
      for (let asked = 0; asked < 2; asked += 1) {
        const { frames } = await bob.api.getUpdates({ since, socket: hello.socket });
        expect(frames.map(({ method }) => method)).toEqual(['events.reactionAdded']);
        await bob.api.wsFocus({ socket: hello.socket, focus: { chat_id } });
        await bob.api.getMe();
      }
      await expect(alice.api.getUpdates({ since, socket: hello.socket })).rejects.toMatchObject({ status: 404 });
      await expect(alice.api.getUpdates({ since, socket: hello.socket })).rejects.toMatchObject({ status: 404 });
    }
  });

  test('CLUSTER-3, CLUSTER-23: a message is pushed once, through any node, to accounts without a socket on any node', () =>
    withPushes(
      async ({ world, push, pushed }) => {
        const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
        const { id: chat_id } = await world.group(alice, bob, carol);
        for (const actor of [bob, carol])
          await actor.api.registerPushToken({ platform: 'web', token: push.subscribe(actor.username) });
        await carol.socket();
        const keys = world.services.flatMap(({ sockets }) => [...sockets.live.heard()].map(([key]) => key));
        const knowing = () => world.sum(({ others }) => keys.filter((key) => others.isLive(key)).length);
        await expect.poll(knowing).toBe(1);
        // The maximum number of messages that are queued individually for one token (PUSH-10).
        const texts = Array.from({ length: 8 }, (_, at) => `message ${at}`);
        // Each call uses its own connection, and the balancer alternates between the nodes.
        await Promise.all(texts.map((text) => alice.api.sendMessage({ chat_id, text })));
        await pushed();
        expect(push.of('bob')).toHaveLength(texts.length);
        expect(new Set(push.bodies('bob'))).toEqual(new Set(texts.map((text) => `alice: ${text}`)));
        expect(push.of('carol')).toEqual([]);
      },
      { nodes: 2, onAllNodes: true },
    ));

  test('CLUSTER-3, PUSH-20: a push of one node is taken back when the message is read through another', () =>
    withPushes(
      async ({ world, push }) => {
        const [alice, bob] = [await world.member('alice'), await world.member('bob')];
        const laptop = await world.signIn(bob);
        await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('phone') });
        const { id: chat_id } = await world.direct(alice, bob);
        const on = async (at: number, actor: Actor): Promise<TestSocket> => {
          world.balancer.choose = (targets) => targets[at];
          return actor.socket();
        };
        const writing = await on(0, alice);
        // `rpc` returns an unknown value; sendMessage returns a Message.
        const sent = (await writing.rpc('sendMessage', { chat_id, text: 'hello' })) as { id: string };
        await push.nth('phone');
        const reading = await on(1, laptop);
        await reading.rpc('markRead', { chat_id, message_id: sent.id });
        await reading.close();
        const told = () => push.of('phone').map(({ payload }) => payload?.['body'] ?? payload?.['close']);
        const close = expect.objectContaining({ message_id: sent.id });
        await expect.poll(told, { timeout: 10_000 }).toEqual(['hello', close]);
      },
      { nodes: 2, onAllNodes: true },
    ));

  test('PUSH-25: take-backs are sent when the last sockets on two nodes close at the same time', () => {
    const clock = new ManualClock();
    return withPushes(
      async ({ world, push, pushed }) => {
        const [alice, bob] = [await world.member('alice'), await world.member('bob')];
        const [laptop, tablet] = [await world.signIn(bob), await world.signIn(bob)];
        await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('phone') });
        const { id: chat_id } = await world.direct(alice, bob);
        const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'hello' });
        await pushed();
        const bodies = () => push.of('phone').map(({ payload }) => payload?.['body'] ?? 'close');
        await expect.poll(bodies).toEqual(['hello']);
        const sockets = [];
        for (const [at, actor] of [laptop, tablet].entries()) {
          world.balancer.choose = (targets) => targets[at];
          sockets.push(await actor.socket());
        }
        const [key = 0] = world.services.flatMap(({ sockets: { live } }) =>
          [...live.heard()].map(([account]) => account),
        );
        const knowing = () => world.sum(({ others }) => (others.isLive(key) ? 1 : 0));
        await clock.advance(10);
        await expect.poll(knowing).toBe(2);
        await laptop.api.markRead({ chat_id, message_id });
        await pushed();
        // A node checks an account at most every 2 s. After this pause both nodes check as soon as the sockets close.
        for (let second = 0; second < 6; second += 1) {
          await clock.advance(1_000);
          await world.settle();
        }
        expect(bodies()).toEqual(['hello']);
        // The clock stands still, so neither node learns that the other's socket closed.
        await Promise.all(sockets.map((socket) => socket.close()));
        await expect.poll(() => world.sum(({ sockets: live }) => live.count)).toBe(0);
        await pushed();
        for (let second = 0; second < 8; second += 1) {
          await clock.advance(1_000);
          await world.settle();
        }
        await expect.poll(bodies).toContain('close');
      },
      { nodes: 2, onAllNodes: true, clock },
    );
  });

  test('PART-15, CLUSTER-4: parts that a daemon writes through another node reach readers on both, in the same order', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { alice, bob } = await world.people('alice', 'bob');
    const bot = await botIn(world, alice, await world.group(alice, bob));
    const [{ id: chat_id } = { id: '' }] = (await bot.api.getChats()).items;
    const on = async (actor: Actor, at: number): Promise<TestSocket> => {
      world.balancer.choose = (targets) => targets[at];
      return actor.socket('ext');
    };
    const readers = [await on(bob, 0), await on(bob, 1)];
    const starting = await on(bot, 0);
    // `rpc` returns an unknown value; startMessageStream returns a Message.
    const { id } = (await starting.rpc('startMessageStream', { chat_id })) as { id: string };
    const daemon = await on(bot, 1);
    const write = (change: object) => daemon.rpc('appendMessageStream', { message_id: id, ...change });
    const thought = { id: 't', type: 'reasoning' as const };
    await write({ part: { ...thought, append: 'Hm', text_offset: 2 } });
    await write({ delta: 'Well', offset: 4 });
    await write({ part: { ...thought, append: '…', text_offset: 5, duration_ms: 7 } });
    await write({ part: { id: 'n', type: 'notice', text: 'That is all.' } });
    for (const reader of readers) await reader.event('messagePart', ({ part }) => part.id === 'n');
    const [one, other] = readers.map(({ frames }) =>
      frames.filter(({ params }) => params['id'] === id).map(({ seq, method, params }) => ({ seq, method, params })),
    );
    expect(one).toEqual(other);
    const parts = [
      { ...thought, offset: 0, text: 'Hm…', duration_ms: 7 },
      { id: 'n', type: 'notice', text: 'That is all.', offset: 4 },
    ];
    for (const at of [0, 1]) {
      world.balancer.choose = (targets) => targets[at];
      const { items } = await alice.api.getMessages({ message_ids: [id] });
      expect(items[0]?.parts).toEqual(parts);
    }
    await daemon.rpc('finishMessageStream', { message_id: id });
    for (const reader of readers) expect((await reader.event('messageComplete')).parts).toEqual(parts);
  });

  test("CLUSTER-24, STREAM-7: a daemon's socket on another node keeps its stream open, the next daemon's socket does not", async () => {
    await using world = await createWorld({ nodes: 2 });
    const { alice, bob } = await world.people('alice', 'bob');
    const bot = await botIn(world, alice, await world.group(alice, bob));
    const [{ id: chat_id } = { id: '' }] = (await bot.api.getChats()).items;
    const on = async (at: number): Promise<TestSocket> => {
      world.balancer.choose = (targets) => targets[at];
      return bot.socket();
    };
    const starting = await on(0);
    // `rpc` returns an unknown value; startMessageStream returns a Message.
    const { id } = (await starting.rpc('startMessageStream', { chat_id })) as { id: string };
    const daemon = await on(1);
    await daemon.rpc('appendMessageStream', { message_id: id, delta: 'text', offset: 4 });
    await starting.close();
    const streams = world.services[0]?.streams;
    const stream = streams?.find(id);
    if (!streams || !stream) throw new Error('the node over which it was started has the stream');
    let later = Date.now();
    /** Whether the lease has expired after another minute in which only the bot's current sockets could renew it. */
    const isOver = () => stream.lease.isOver((later += 60_000), streams.socketsOf(stream));
    await expect.poll(() => streams.socketsOf(stream)).toHaveLength(1);
    expect(isOver()).toBe(false);
    await daemon.close();
    await on(1);
    await expect.poll(isOver).toBe(true);
  });

  test('CLUSTER-33: nodes that start at the same time find each other before they accept calls', async () => {
    for (let round = 0; round < 4; round += 1) {
      // The clock stands still, so no node reports anything unasked.
      await using world = await createWorld({ nodes: 3, clock: new ManualClock() });
      const { bob } = await world.people('bob');
      await bob.socket();
      const [key = 0] = world.services.flatMap(({ sockets }) => [...sockets.live.heard()].map(([account]) => account));
      const knows = world.services.map(async ({ sockets, others }) => sockets.live.isLive(key) || others.findLive(key));
      expect(await Promise.all(knows)).toEqual([true, true, true]);
    }
  });

  test('CLUSTER-9: a reconnect costs one read for the identity, one for the position, and one per page of updates', async () => {
    await using world = await createWorld({ nodes: 2, clock: new ManualClock() });
    // Time stands still: the nodes look at the log once a second, and each look is a read.
    const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
    const { id: chat_id } = await world.group(alice, bob, carol);
    await world.group(bob, alice);
    const reads = () => world.services.reduce((sum, service) => sum + service.readCount(), 0);
    await world.settle();
    const before = reads();
    const socket = await bob.socket();
    const [who, where, look] = [1, 1, 1];
    expect(reads() - before).toBe(who + where);
    for (const actor of [alice, bob, carol, alice])
      await actor.api.sendMessage({ chat_id, text: `by ${actor.username}` });
    await world.settle();
    const updates = async (since: number) => {
      const before = reads();
      // `rpc` returns an unknown value; getUpdates returns frames as JSON.
      const { frames } = (await socket.rpc('getUpdates', { since })) as { frames: { params: { content: string } }[] };
      return { reads: reads() - before, texts: frames.map(({ params }) => params.content) };
    };
    const texts = ['by alice', 'by bob', 'by carol', 'by alice'];
    expect(await updates(socket.hello.head)).toEqual({ reads: look + 1, texts });
    expect(await updates(socket.frames.at(-1)?.seq ?? 0)).toEqual({ reads: look, texts: [] });
  });

  test('CLUSTER-54: a node counts the events that it hears, and those for conversations and accounts with sockets here', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { alice, bob, carol, dave } = await world.people('alice', 'bob', 'carol', 'dave');
    const ours = await world.group(alice, bob);
    const theirs = await world.group(carol, dave);
    world.balancer.choose = (targets) => targets[1];
    await bob.socket();
    world.stayOnFirst();
    await world.settle();
    const counts = () => world.services.map((service) => ({ ...service.heardCounts() }));
    const [first, second = { heard: 0, ofUse: 0 }] = counts();
    for (const [actor, { id: chat_id }] of [
      [alice, ours],
      [carol, theirs],
    ] as const)
      await actor.api.sendMessage({ chat_id, text: 'hello' });
    await world.settle();
    expect(counts()).toEqual([first, { heard: second.heard + 2, ofUse: second.ofUse + 1 }]);
  });
});
