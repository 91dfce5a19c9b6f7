import { compareAll } from '@parley/testing/model/follower.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { asking, calls, type Hands, results, scene, toolParts, withHands } from './hands-stage.ts';
import { type Kill, killAt, killEverywhere } from './kill-at.ts';

/** The commits of a turn that calls tools, and the answer of a person. A checkpoint may come, or not. */
const commits = 'claimTurn storeStep beginCall endCall admitStep closeStream decide'.split(' ');

/** A turn that looks something up, pays with leave, and says so; returns whether it was killed. */
async function play(hands: Hands, at: Kill): Promise<boolean> {
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
  const kill = killAt(world, at);
  let isDead = false;
  /** Resolves when the turn rests, in this process or in the next. */
  const rest = async (): Promise<void> => {
    if (isDead) return world.turnsEnded();
    isDead = await Promise.race([kill.died, world.turnsEnded().then(() => false)]);
    if (!isDead) return;
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
  if (isDead) await decide();
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
  return isDead;
}

for (const when of ['before', 'after'] as const)
  embeddedTest('the cluster has tests of its own')(
    `CALL-3, CALL-4, TURN-19: ★ killed ${when} each commit of a turn, nothing is sent or approved twice, and nothing is forgotten`,
    { timeout: 240_000 },
    () =>
      killEverywhere(commits, when, async (at) => {
        await using hands = await withHands({ expectsErrors: true });
        return await play(hands, at);
      }),
  );
