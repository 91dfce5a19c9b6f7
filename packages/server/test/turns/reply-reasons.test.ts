// What a person sees of a reply whose end is not a good one, and what is booked of it.
import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { booked, usageStage } from '../agents/usage-stage.ts';

test.each(['tool_use', 'pause_turn', 'invented_later'])(
  'PROVIDER-1: a reply that ends with %s is complete, says so, and its usage is booked',
  async (finish) => {
    await using world = await createWorld();
    const { alice, agent, ask } = await usageStage(world);
    const chunks = ['I look.', { call: 'get_umbrella', input: { size: 'L' } }];
    world.providers.script(agent.key, { chunks, finish, usage: { input: 5, output: 40 } });
    const reply = await ask();
    const reasons: Record<string, string> = { tool_use: 'tools', pause_turn: 'paused', invented_later: 'other' };
    expect(reply).toMatchObject({ status: 'complete', content: 'I look.', finish_reason: reasons[finish] });
    // PROVIDER-28: nobody has run it.
    expect(reply?.parts).toMatchObject([
      { type: 'tool', name: 'get_umbrella', input: { size: 'L' }, status: 'unknown' },
    ]);
    expect(await booked(alice)).toEqual([expect.stringMatching(/ 5 40 1$/)]);
  },
);

test('PROVIDER-23, USAGE-4: a reply that ends with an error of the vendor has failed with its text, and its usage is booked', async () => {
  await using world = await createWorld();
  const { alice, agent, ask } = await usageStage(world);
  world.providers.script(agent.key, { chunks: ['Half of an answ'], finish: 'error', usage: { input: 5, output: 40 } });
  const socket = await alice.socket();
  expect(await ask()).toMatchObject({ status: 'failed', content: 'Half of an answ', finish_reason: 'overloaded' });
  expect(await socket.event('alert')).toMatchObject({ level: 'error', reason: 'overloaded' });
  expect(await booked(alice)).toEqual([expect.stringMatching(/ 5 40 1$/)]);
});
