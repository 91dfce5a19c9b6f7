import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { LockCoverage } from '../cluster/lock-coverage.ts';
import { asking, calls, scene, withHands } from './hands-stage.ts';

embeddedTest('triggers of SQLite note the rows that are written')(
  'CLUSTER-51: the rows that turns with tools write, however they end, are covered by the locks of their units',
  async () => {
    const coverage = new LockCoverage();
    await using hands = await withHands({ startStore: coverage.store.start });
    const { world, server } = hands;
    const bob = await world.person('bob');
    const given = { identity: 'asker' as const, auth: 'bearer' as const };
    const { ann, agent, chat, answers, ask, decide, reply } = await scene(hands, { given, others: [bob] });
    server.tokens = ['good'];
    const both = () => answers(asking(calls('peek'), calls('pay', { to: 'bob' })), { chunks: ['Done.'] });
    both();
    await ask();
    await world.turnsEnded();
    await ann.api.setToolCredential({ username: agent.username, server: 'bank', token: 'good' });
    await world.turnsEnded();
    await decide('always');
    await world.turnsEnded();
    await decide('once').catch(() => {});
    await world.turnsEnded();
    await ann.api.shareToolCall({ message_id: (await reply()).id, part_id: (await reply()).parts?.[0]?.id ?? '' });
    for (const end of [
      () => ann.api.stopRun({ chat_id: chat.id }),
      async () => ann.api.deleteMessages({ message_ids: [(await reply()).id] }),
      () => decide('decline'),
    ]) {
      answers(asking(calls('pay', { to: 'cleo' })), { chunks: ['Done.'] });
      server.tools = { ...server.tools, pay: { ...server.tools['pay'], description: `Pays ${String(end)}` } };
      await ann.api.setAgentTools({
        username: agent.username,
        servers: [{ name: 'bank', url: server.url, ...given, approval: 'always' }],
      });
      await ask();
      await world.turnsEnded();
      await end();
      await world.turnsEnded();
    }
    expect([...coverage.uncovered]).toEqual([]);
    for (const name of ['storeStep', 'askCalls', 'beginCall', 'endCall', 'decide'])
      expect(coverage.written).toContain(name);
  },
);
