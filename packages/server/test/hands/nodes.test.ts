import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { theService } from '../../calls/unit-queue.ts';
import { asking, calls, results, scene, toolParts, withHands } from './hands-stage.ts';

describeCluster('Turns with tools on several nodes', () => {
  test('TURN-19, CLUSTER-8: a node that stops leaves a turn with stored steps to the others', async () => {
    await using hands = await withHands({ nodes: 2 });
    const { world, server } = hands;
    const { agent, answers, ask, reply } = await scene(hands);
    answers(asking(calls('peek')), { chunks: ['half of'], ending: 'hang' });
    await ask();
    await server.executed('peek');
    await expect.poll(async () => (await reply()).content).toBe('half of');
    const at = world.services.findIndex(({ turns }) => turns.runningCount > 0);
    answers({ chunks: ['The whole.'] });
    await world.replaceNode(at);
    await expect.poll(async () => (await reply()).content, { timeout: 20_000 }).toBe('The whole.');
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'The whole.' });
    expect(results(world, agent)).toEqual(['the balance is 7']);
    expect(server.calls).toHaveLength(1);
  });

  test('CALL-3, CALL-4: ★ a node that others have given up neither sends nor stores; what it was sending is unknown', async () => {
    const tool = Promise.withResolvers<string>();
    await using hands = await withHands({ nodes: 2, expectsErrors: true }, { pay: { run: () => tool.promise } });
    const { world, server } = hands;
    const { agent, answers, ask, reply, decide } = await scene(hands, {
      given: { tools: [{ name: 'pay', writes: true }] },
    });
    answers(asking(calls('pay', { to: 'bob' })), { chunks: ['I do not know.'] });
    await ask();
    await world.turnsEnded();
    await decide('once');
    await server.executed('pay');
    const at = world.services.findIndex(({ turns }) => turns.runningCount > 0);
    const other = world.services[1 - at];
    const [owner] = await world.sql<{ node_key: number }>('SELECT node_key FROM streams');
    await other?.units.run('recoverTurns', theService, [owner?.node_key], Date.now());
    await expect.poll(() => world.sql('SELECT state FROM tool_calls')).toEqual([{ state: 'unknown' }]);
    await expect.poll(() => world.sql(`SELECT state FROM turns`), { timeout: 20_000 }).toEqual([{ state: 'complete' }]);
    // It hears from the tool too late.
    tool.resolve('paid bob');
    await world.turnsEnded();
    expect(await world.sql('SELECT state FROM tool_calls')).toEqual([{ state: 'unknown' }]);
    expect(server.calls).toHaveLength(1);
    const shown = await reply();
    expect(shown).toMatchObject({ status: 'complete', content: 'I do not know.' });
    expect(toolParts(shown)).toMatchObject([{ status: 'unknown' }]);
    expect(results(world, agent)).toEqual([expect.stringMatching(/^unknown: /)]);
  });
});
