import { type Actor, checkReplay, createWorld } from '@parley/testing';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { ApiError } from '@parley/client';
import type { Decision } from '@parley/protocol';
import { expect, test } from 'vitest';
import { scene } from './scene.ts';

const ROUNDS = 6;

describeCluster('Decisions on several nodes', () => {
  test('DECIDE-5, DECIDE-7: ★ of several people who decide on two nodes in the same moment one wins, and everyone sees who and when', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { ann, ben, cleo, ask, shown, needs, inbox } = await scene(world);
    const people = [ann, ben, cleo];
    const sockets = [await ann.socket('ext'), await ben.socket('ext'), await cleo.socket('ext')];
    const outcomes: Decision[] = [];
    await checkReplay(world, people, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { decision_id, message_id } = await ask();
        // Each request goes to the next node in turn.
        const used = new Set<string | undefined>();
        const { choose } = world.balancer;
        world.balancer.choose = (targets) => {
          const target = choose(targets);
          used.add(target);
          return target;
        };
        const answer = async (actor: Actor, option: string) => {
          try {
            return { won: (await actor.api.decide({ decision_id, option })).decision };
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 409) throw error;
            return { lost: error.parameters['decision'] };
          }
        };
        const answers = await Promise.all(
          people.map((actor, at) => answer(actor, (at + round) % 2 === 0 ? 'yes' : 'no')),
        );
        world.balancer.choose = choose;
        expect(used.size).toBe(2);
        const won = answers.flatMap((one) => ('won' in one && one.won ? [one.won] : []));
        expect(won).toHaveLength(1);
        const [outcome] = won;
        for (const one of answers) if ('lost' in one) expect(one.lost).toEqual(outcome);
        for (const reader of people) expect((await shown(message_id, reader))?.decision).toEqual(outcome);
        if (outcome) outcomes.push(outcome);
      }
      await world.settle();
    });
    expect(outcomes).toHaveLength(ROUNDS);
    for (const { decided_at: at } of outcomes)
      expect(Math.abs(Date.parse(at ?? '') - Date.now())).toBeLessThan(120_000);
    for (const socket of sockets)
      expect(socket.all('decisionUpdated').map(({ decision }) => decision)).toEqual(outcomes);
    expect(await Promise.all(people.map(needs))).toEqual([0, 0, 0]);
    expect(await Promise.all(people.map(inbox))).toEqual([[], [], []]);
  });
});
