import { compareAll } from '@parley/testing/model/follower.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import type { World } from '@parley/testing';
import { expect } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import { asking, calls, type Hands, results, scene, toolParts, withHands } from './hands-stage.ts';

/** The commits of a turn that calls tools, and the answer of a person. */
const counted = new Set(
  'claimTurn checkpoint storeStep askCalls beginCall endCall pauseCall closeStream decide'.split(' '),
);

/** Kills the service at one of those commits: just before it, or once it is on the disk and before anybody hears of it. */
function killAt(world: World, at: number, when: 'before' | 'after'): { died: Promise<string>; commits: () => number } {
  const { units } = world.service;
  const run = units.run.bind(units);
  const died = Promise.withResolvers<string>();
  let count = 0;
  units.run = async (name, ...rest) => {
    if (count >= at) throw unavailable('it is dead');
    if (counted.has(name)) count += 1;
    if (count < at || !counted.has(name)) return run(name, ...rest);
    if (when === 'after') await run(name, ...rest);
    died.resolve(name);
    throw unavailable('it is dead');
  };
  return { died: died.promise, commits: () => count };
}

/** A turn that looks something up, pays with leave, and says so; returns where it was killed, or null if it was not. */
async function play(hands: Hands, at: number, when: 'before' | 'after'): Promise<string | null> {
  const { world, server } = hands;
  const { ann, agent, answers, ask, reply, decisions } = await scene(hands);
  answers({ chunks: ['…'] });
  // What the model answers depends on what it was told, so that a request that is repeated gets the same answer.
  world.providers.script(agent.key, () =>
    results(world, agent).length === 0
      ? asking(calls('peek'), calls('pay', { to: 'bob' }))
      : { chunks: ['That ', 'is all.'] },
  );
  const followers = await Promise.all(['ext', 'nodrafts,ext', 'patch,focus,ext'].map((caps) => ann.follow(caps)));
  const kill = killAt(world, at, when);
  let where: string | null = null;
  /** Resolves when the turn rests, in this process or in the next. */
  const rest = async (): Promise<void> => {
    if (where !== null) return world.turnsEnded();
    const died = await Promise.race([kill.died, world.turnsEnded().then(() => null)]);
    if (died === null) return;
    where = died;
    for (const { socket } of followers) void socket?.closed;
    await world.crash();
    for (const follower of followers) {
      await follower.drop({ losing: true });
      await follower.connect();
    }
    await world.turnsEnded();
  };
  await ask();
  await rest();
  const [asked] = await decisions();
  // A client that hears nothing asks again.
  const decide = () => ann.api.decide({ decision_id: asked?.decision?.id ?? '', option: 'once' });
  await decide().catch(() => {});
  await rest();
  if (where !== null) await decide();
  await rest();
  const ended = await reply();
  expect(ended).toMatchObject({ status: 'complete', content: 'That is all.' });
  expect(ended).not.toHaveProperty('finish_reason');
  const [peek, pay] = toolParts(ended);
  expect(peek).toMatchObject({ name: 'peek', status: 'done', output: 'the balance is 7' });
  // Approved once, and sent at most once. If nobody can say whether it was, people and the model are told so.
  expect((await decisions()).map(({ decision }) => [decision?.kind, decision?.state])).toEqual([['call', 'decided']]);
  const paid = server.calls.filter(({ tool }) => tool === 'pay').length;
  const told = results(world, agent)[1] ?? '';
  if (pay?.status === 'unknown') expect(told).toMatch(/^unknown: /);
  else expect([pay?.status, told]).toEqual(['done', 'paid bob']);
  if (pay?.status === 'done') expect(paid).toBe(1);
  expect(paid).toBeLessThanOrEqual(1);
  expect(new Set(server.calls.map(({ tool, callId }) => `${tool} ${String(callId)}`)).size).toBe(1 + paid);
  const [left] = await world.sql<{ steps: number }>('SELECT count(*) AS steps FROM turn_steps');
  expect(left).toEqual({ steps: 0 });
  for (const follower of followers) await follower.idle();
  await world.settle();
  await compareAll(followers);
  for (const follower of followers) await follower.drop();
  return where;
}

for (const when of ['before', 'after'] as const)
  embeddedTest('the cluster has tests of its own')(
    `CALL-3, CALL-4, TURN-19: ★ killed ${when} each commit of a turn, nothing is sent or approved twice, and nothing is forgotten`,
    { timeout: 240_000 },
    async () => {
      const killed: string[] = [];
      for (let at = 1; ; at += 1) {
        await using hands = await withHands({ expectsErrors: true });
        const where = await play(hands, at, when).catch((error: unknown) => {
          throw new Error(`killed ${when} commit ${at}, after ${killed.join(', ')}`, { cause: error });
        });
        if (where === null) break;
        killed.push(where);
      }
      for (const name of ['claimTurn', 'storeStep', 'beginCall', 'endCall', 'closeStream', 'decide'])
        expect(killed).toContain(name);
    },
  );
