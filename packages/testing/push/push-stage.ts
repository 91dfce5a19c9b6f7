import type { Actor } from '../world/actor.ts';
import { FakeApns } from './fake-apns.ts';
import { FakePush, type PushReply } from './fake-push.ts';
import { ManualClock } from '../clocks/manual-clock.ts';
import { makePushKeys, type PushKeys } from './push-keys.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';
import { createWorld, type World, type WorldOptions } from '../world/world.ts';

/** A world whose service sends pushes to a fake browser push service and a fake Apple. */
export interface PushStage {
  world: World;
  push: FakePush;
  apns: FakeApns;
  keys: PushKeys;
  /** Resolves when only pushes that wait for a retry are left. */
  pushed(): Promise<void>;
  /** Alice and Bob in a direct chat; Bob has a subscribed browser and no socket. */
  aliceAndBob(...replies: PushReply[]): Promise<AliceAndBob>;
}

interface AliceAndBob {
  alice: Actor;
  bob: Actor;
  chat_id: string;
  say(text: string): Promise<{ id: string }>;
}

interface PushOptions extends WorldOptions {
  /**
   * Calls and sockets reach all nodes in turn. By default they reach the first: each node has its own delivery queues,
   * rates and heartbeats to the push services, so pushes sent by several nodes have no order.
   */
  onAllNodes?: boolean;
}

export async function withPushes(
  work: (stage: PushStage) => Promise<void>,
  { onAllNodes = false, ...options }: PushOptions = {},
): Promise<void> {
  await using push = await FakePush.start();
  await using apns = await FakeApns.start();
  const keys = makePushKeys({ apnsUrl: apns.url });
  apns.key = keys.apnsPublicKey;
  await using world = await createWorld({ ...options, env: { ...keys.env, ...options.env } });
  if (!onAllNodes) world.stayOnFirst();
  const stage: PushStage = {
    world,
    push,
    apns,
    keys,
    async pushed() {
      // Messages within a short time are handled together, after a delay.
      if (options.clock instanceof ManualClock) await options.clock.advance(100);
      while (world.services.some(({ push }) => !push.isIdle)) await turnOfLoop();
    },
    async aliceAndBob(...replies) {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: chat_id } = await world.direct(alice, bob);
      await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob', ...replies) });
      return { alice, bob, chat_id, say: (text) => alice.api.sendMessage({ chat_id, text }) };
    },
  };
  await work(stage);
  // In any test: no push may violate the rules of the push services.
  const problems = push.received.flatMap(({ device, problems: found }) =>
    found.map((problem) => `${device}: ${problem}`),
  );
  for (const problem of problems) world.report(problem);
}
