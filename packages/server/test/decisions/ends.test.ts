import { createWorld, ManualClock } from '@parley/testing';
import { describeCluster, embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { type Asked, refused, scene, yesNo } from './scene.ts';
import { botIn } from '../helpers/agents.ts';
import type { Actor } from '@parley/testing';

const withdraw = ({ api }: Actor, { decision_id }: Asked) => api.withdrawDecision({ decision_id });

embeddedTest('nodes take their dates from the database')(
  'DECIDE-8: from its time on it can neither be decided nor taken back, also before the service has noted that',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { ann, ben, ask, shown } = await scene(world);
    const { decision_id, message_id } = await ask({ expires_in: 10 });
    clock.step(9_999);
    expect((await ben.api.decide({ decision_id, option: 'yes' })).decision?.state).toBe('decided');
    const second = await ask({ expires_in: 10 });
    clock.step(10_000);
    // No timer has run: the message still says that it is open.
    expect((await shown(second.message_id))?.decision?.state).toBe('open');
    const expired = { status: 409, parameters: { decision: { id: second.decision_id, state: 'expired' } } };
    await expect(ben.api.decide({ decision_id: second.decision_id, option: 'yes' })).rejects.toMatchObject(expired);
    await expect(withdraw(ann, second)).rejects.toMatchObject(expired);
    await clock.advance(2_000);
    await world.settle();
    expect((await shown(second.message_id))?.decision?.state).toBe('expired');
    expect((await shown(message_id))?.decision?.state).toBe('decided');
  },
);

describeCluster('Decisions that expire on several nodes', () => {
  test('DECIDE-8: a decision expires once in the whole cluster', async () => {
    await using world = await createWorld({ nodes: 2 });
    const { ann, ben, cleo, ask, shown, needs } = await scene(world);
    const sockets = [
      await ann.socket('ext'),
      await ben.socket('ext'),
      await cleo.socket('ext'),
      await ben.socket('ext'),
    ];
    const { message, decision_id, message_id } = await ask({ expires_in: 10 });
    await expect.poll(async () => (await shown(message_id))?.decision?.state, { timeout: 60_000 }).toBe('expired');
    await world.settle();
    expect(await shown(message_id)).toMatchObject({
      content: `${message.content}\n\nExpired: nobody has decided.`,
      content_revision: 2,
    });
    for (const socket of sockets) {
      expect(socket.all('decisionUpdated')).toMatchObject([{ message_id, decision: { state: 'expired' } }]);
      expect(socket.all('messageUpdated')).toHaveLength(1);
    }
    await expect(ben.api.decide({ decision_id, option: 'yes' })).rejects.toMatchObject(refused(409));
    expect(await needs(ben)).toBe(0);
  });
});

test('DECIDE-11: who may take a decision back, also having left, and in which order it is refused', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, stranger, chat, chat_id, ask, shown } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const [one, two, three, four] = [await ask({}, cleo), await ask({}, cleo), await ask({}, bot), await ask({}, cleo)];
  // An admin, as long as it is one and takes part.
  await expect(withdraw(ben, one)).rejects.toMatchObject(refused(403));
  await ann.api.setMemberRole({ chat_id, username: 'ben', role: 'admin' });
  expect((await withdraw(ben, one)).decision?.state).toBe('withdrawn');
  await ann.api.setMemberRole({ chat_id, username: 'ben', role: 'member' });
  await expect(withdraw(ben, two)).rejects.toMatchObject(refused(403));
  // Who has asked and has left; for others outside there is nothing.
  await cleo.api.leaveChat({ chat_id });
  expect((await withdraw(cleo, two)).decision?.state).toBe('withdrawn');
  for (const decision of [three, four]) await expect(withdraw(stranger, decision)).rejects.toMatchObject(refused(404));
  // The owner of the agent, who has hidden it.
  await ann.api.deleteMessagesForMe({ message_ids: [three.message_id] });
  expect((await withdraw(ann, three)).decision?.state).toBe('withdrawn');
  // What has been decided cannot be taken back, and says how it was decided.
  await ben.api.decide({ decision_id: four.decision_id, option: 'no' });
  await expect(withdraw(ann, four)).rejects.toMatchObject({
    status: 409,
    parameters: { decision: { state: 'decided', decided_by: 'ben', option: 'no' } },
  });
  expect((await shown(four.message_id, ben))?.decision?.state).toBe('decided');
  // In a direct chat only who has asked.
  const { id: direct } = await world.direct(ann, ben);
  const { id: decision_id } = await ann.api.askDecision({ chat_id: direct, text: 'Tea?', options: yesNo });
  await expect(ben.api.withdrawDecision({ decision_id })).rejects.toMatchObject(refused(403));
  expect((await ann.api.withdrawDecision({ decision_id })).decision?.state).toBe('withdrawn');
});
