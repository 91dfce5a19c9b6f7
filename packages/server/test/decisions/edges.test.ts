import { type Actor, checkReplay, createWorld } from '@parley/testing';
import { password } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { type Asked, refused, scene, yesNo } from './scene.ts';

const withdraw = ({ api }: Actor, { decision_id }: Pick<Asked, 'decision_id'>) => api.withdrawDecision({ decision_id });
const text = (key: string) => ({ key, label: key, type: 'text' as const });

test('DECIDE-5: after its end anything but the same answer of the same person is 409, also what would not fit, and a repeat stays good', async () => {
  await using world = await createWorld();
  const { ann, ben, chat, chat_id, ask } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const form = [{ ...text('city'), required: true }, text('note')];
  const { decision_id } = await ask({ form, deciders: 'admins' }, bot);
  await ann.api.setMemberRole({ chat_id, username: 'ben', role: 'admin' });
  const won = await ben.api.decide({ decision_id, fields: { city: 'Rome' } });
  for (const wrong of [
    { option: 'maybe' },
    { fields: {} },
    { fields: { city: 5 } },
    { fields: { city: 'Rome', other: 'x' } },
    { option: 'decline', fields: { city: 'Rome' } },
  ])
    await expect(ben.api.decide({ decision_id, ...wrong }), JSON.stringify(wrong)).rejects.toMatchObject({
      status: 409,
      parameters: { decision: won.decision },
    });
  // Who has decided is no decider any more.
  await ann.api.setMemberRole({ chat_id, username: 'ben', role: 'member' });
  expect(await ben.api.decide({ decision_id, fields: { city: 'Rome' } })).toEqual(won);
  await expect(ben.api.decide({ decision_id, fields: { city: 'Oslo' } })).rejects.toMatchObject(refused(403));
  const withdrawn = await ask({ form });
  await ann.api.withdrawDecision({ decision_id: withdrawn.decision_id });
  await expect(ben.api.decide({ decision_id: withdrawn.decision_id, option: 'maybe' })).rejects.toMatchObject(
    refused(409),
  );
});

test('DECIDE-6: a field that is not given has no value, whatever its key', async () => {
  await using world = await createWorld();
  const { ben, ask } = await scene(world);
  const form = [text('constructor'), text('city')];
  const { decision_id } = await ask({ form });
  const fields = { city: 'Rome' };
  const { decision } = await ben.api.decide({ decision_id, fields });
  expect(Object.entries(decision?.fields ?? {})).toEqual([['city', 'Rome']]);
});

test('DECIDE-1: a retry after the deletion is answered with the deleted message, without a decision', async () => {
  await using world = await createWorld();
  const { ann, chat_id } = await scene(world);
  const asking = { chat_id, text: 'Deploy?', options: [{ id: 'yes', label: 'Yes' }], client_msg_id: 'one' };
  const { id } = await ann.api.askDecision(asking);
  await ann.api.deleteMessages({ message_ids: [id] });
  const again = await ann.api.askDecision(asking);
  expect(again).toMatchObject({ id, content: '' });
  expect(again.deleted_at).toBeDefined();
  expect(again).not.toHaveProperty('decision');
});

test('DECIDE-1, DECIDE-2, DECIDE-6: form and answer count towards the quota of who asked, and have a size that is the most', async () => {
  await using world = await createWorld({ settings: { storedBytes: 100_000 } });
  const { ann, ben, ask } = await scene(world);
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...text(`f${at}`),
      description: 'x'.repeat(1_000),
      default: 'x'.repeat(4_000),
    }));
  await expect(ask({ form: many(20) })).rejects.toMatchObject({ status: 400, parameters: { field: 'form' } });
  const first = await ask({ form: many(10) });
  await expect(ask({ form: many(10) })).rejects.toMatchObject(refused(413));
  await ann.api.deleteMessages({ message_ids: [first.message_id] });
  const { decision_id } = await ask({ form: [text('one'), text('two'), text('three')] });
  const most = 'x'.repeat(30_000);
  await expect(ben.api.decide({ decision_id, fields: { one: most, two: most, three: most } })).rejects.toMatchObject({
    status: 400,
    parameters: { field: 'fields' },
  });
  await ben.api.decide({ decision_id, fields: { one: most, two: most } });
  await expect(ask({ form: many(9) })).rejects.toMatchObject(refused(413));
  await ann.api.deleteMessages({ message_ids: [decision_id] });
  await ask({ form: many(9) });
});

test('DECIDE-11: whoever may take it back need not see it: the asker that has hidden it, and the owner of the agent that asked', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, stranger, chat, ask } = await scene(world);
  const bot = await botIn(world, ben, chat);
  const hidden = await ask({}, cleo);
  await cleo.api.deleteMessagesForMe({ message_ids: [hidden.message_id] });
  expect((await withdraw(cleo, hidden)).decision?.state).toBe('withdrawn');
  const secret = await ask({ deciders: ['cleo'], private: true }, bot);
  for (const outsider of [ann, ben, stranger])
    await expect(withdraw(outsider, secret)).rejects.toMatchObject(refused(404));
  const away = await ask({}, bot);
  expect((await withdraw(bot, secret)).decision?.state).toBe('withdrawn');
  await ben.api.leaveChat({ chat_id: chat.id });
  await expect(withdraw(stranger, away)).rejects.toMatchObject(refused(404));
  expect((await withdraw(ben, away)).decision?.state).toBe('withdrawn');
});

test('DECIDE-10: who becomes the owner, because the owner deletes its account, is told what needs it', async () => {
  await using world = await createWorld();
  const otto = await world.member('otto');
  const { ben, cleo } = await world.people('ben', 'cleo');
  const chat = await world.group(otto, ben, cleo);
  const bot = await botIn(world, ben, chat);
  await bot.api.askDecision({ chat_id: chat.id, text: 'Deploy?', options: yesNo, deciders: 'admins' });
  const sockets = [await ben.socket('ext'), await cleo.socket('ext')];
  await checkReplay(world, [ben, cleo], async () => {
    await otto.api.deleteAccount({ password });
  });
  const needs = async (actor: Actor) => (await actor.api.getChat({ chat_id: chat.id })).needs_you ?? 0;
  const now = await Promise.all([ben, cleo].map(needs));
  expect(now.toSorted((a, b) => a - b)).toEqual([0, 1]);
  await world.settle();
  const told = sockets.map((socket) => socket.all('conversationUpdated').flatMap(({ needs_you = [] }) => needs_you));
  expect(told).toEqual(now.map((count) => (count === 1 ? [1] : [])));
});
