import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { LockCoverage } from '../cluster/lock-coverage.ts';
import { createWorld } from '@parley/testing';
import { asking, calls, scene, withHands } from './hands-stage.ts';
import { own, ownScene } from './own-tools-stage.ts';

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
    const [grant] = (await ann.api.getToolGrants({})).items;
    await ann.api.revokeToolGrant({ grant_id: grant?.grant_id ?? '' });
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
    for (const name of [
      'admitStep',
      'storeStep',
      'askCalls',
      'beginCall',
      'endCall',
      'revokeToolGrant',
      'shareToolCall',
      'decide',
    ])
      expect(coverage.written).toContain(name);
  },
);

embeddedTest('triggers of SQLite note the rows that are written')(
  'CLUSTER-51: the rows that the service’s own tools write are covered by the locks of their units',
  async () => {
    const coverage = new LockCoverage();
    await using world = await createWorld({ startStore: coverage.store.start });
    const bob = await world.person('bob');
    const { ann, agent, chat, answers, ask, decisions } = await ownScene(world, { others: [bob] });
    const question = own('ask', { question: 'Really?', options: ['Yes'], who: 'anyone' });
    answers(asking(own('list_people'), own('remind', { in_minutes: 5 }), question), { chunks: ['Done.'] });
    await ask();
    await ann.api.decide({ decision_id: (await decisions())[0]?.id ?? '', option: 'option_1' });
    await world.turnsEnded();
    const place = { chat_id: chat.id, agent_username: agent.username };
    answers(asking(own('remember', { text: 'likes tea' })), { chunks: ['Done.'] });
    await ask();
    const [noted] = (await ann.api.getNotes(place)).items;
    answers(asking(own('forget', { note_id: noted?.id })), { chunks: ['Done.'] });
    await ask();
    const { id: note_id } = await bob.api.createNote({ ...place, text: 'by hand' });
    await bob.api.updateNote({ note_id, text: 'edited' });
    await bob.api.deleteNote({ note_id });
    expect([...coverage.uncovered]).toEqual([]);
    for (const name of [
      'remindForCall',
      'askForCall',
      'endCall',
      'rememberForCall',
      'forgetForCall',
      'createNote',
      'updateNote',
      'deleteNote',
    ])
      expect(coverage.written).toContain(name);
  },
);
