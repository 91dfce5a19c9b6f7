import { checkReplay, createWorld } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { withDevices } from '../notifications/devices-stage.ts';
import { refused, scene, yesNo } from './scene.ts';

test('DECIDE-10, INBOX-11: open decisions that a person may decide are counted in its list and are in its inbox until they end', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat, chat_id, ask, needs, inbox, rowOf } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const dora = await world.person('dora');
  const all = async () => Promise.all([ann, ben, cleo].map(needs));
  const anyone = await ask({ text: '@ben?' }, bot);
  const admins = await ask({ deciders: 'admins' }, bot);
  const named = await ask({ deciders: ['cleo'] }, bot);
  expect(await all()).toEqual([2, 1, 2]);
  expect(await rowOf(cleo)).toMatchObject({ open_decisions: [named.message_id, anyone.message_id] });
  expect(await inbox(ann)).toEqual([admins.message_id, anyone.message_id]);
  expect(await inbox(ben)).toEqual([anyone.message_id]);
  // The mention in it is the same item.
  expect((await ben.api.getInbox({})).items).toHaveLength(1);
  expect((await bot.api.getChat({ chat_id })).needs_you).toBe(0);
  await checkReplay(world, [ann, ben, cleo], async () => {
    await ann.api.setMemberRole({ chat_id, username: 'ben', role: 'admin' });
    await ann.api.addMembers({ chat_id, usernames: ['dora'] });
    await cleo.api.setInboxDone({ message_ids: [named.message_id] });
  });
  expect(await all()).toEqual([2, 2, 2]);
  expect([await needs(dora), await inbox(dora)]).toEqual([1, [anyone.message_id]]);
  expect(await inbox(cleo)).toEqual([named.message_id, anyone.message_id]);
  await checkReplay(world, [ann, ben, cleo], async () => {
    await dora.api.decide({ decision_id: anyone.decision_id, option: 'yes' });
    await ben.api.decide({ decision_id: admins.decision_id, option: 'no' });
    await bot.api.withdrawDecision({ decision_id: named.decision_id });
  });
  expect(await all()).toEqual([0, 0, 0]);
  expect(await Promise.all([ann, cleo, dora].map(inbox))).toEqual([[], [], []]);
  // What is left in the inbox of the person whom it mentions is the mention.
  expect((await ben.api.getInbox({})).items).toMatchObject([{ reason: 'mention', message_id: anyone.message_id }]);
});

test('DECIDE-10: what a person has hidden, cleared or left needs it no more; a deleted channel takes its decisions back', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat, chat_id, ask, needs, inbox, shown } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const { id: channel_id } = await ann.api.createChannel({ chat_id, title: 'ops' });
  const [one] = [await ask({}, bot), await ask({}, bot)];
  const third = await ask({ channel_id }, bot);
  await checkReplay(world, [ann, ben, cleo], async () => {
    await ben.api.deleteMessagesForMe({ message_ids: [one.message_id] });
    await cleo.api.clearChat({ chat_id });
  });
  expect([await needs(ben), await needs(cleo), (await inbox(ben)).length]).toEqual([2, 0, 2]);
  await expect(ben.api.decide({ decision_id: one.decision_id, option: 'yes' })).rejects.toMatchObject(refused(404));
  await checkReplay(world, [ann, ben, cleo], async () => {
    await ann.api.deleteChannel({ chat_id, channel_id });
  });
  expect([await needs(ann), await needs(ben)]).toEqual([2, 1]);
  expect(await shown(third.message_id, ann)).toBeUndefined();
  await ben.api.leaveChat({ chat_id });
  expect(await inbox(ben)).toEqual([]);
});

test('DECIDE-10: in a direct chat too, and not of somebody whom the person has blocked', async () => {
  await using world = await createWorld();
  const { ann, ben, ask, inbox } = await scene(world);
  const { id: chat_id } = await world.direct(ann, ben);
  const { id } = await ann.api.askDecision({ chat_id, text: 'Tea?', options: yesNo });
  expect((await ben.api.getChat({ chat_id })).open_decisions).toEqual([id]);
  expect(await inbox(ben)).toEqual([id]);
  expect((await ben.api.getInbox({})).items[0]).toMatchObject({ reason: 'decision', snippet: 'Tea? Deploy Wait' });
  expect((await ben.api.getInbox({})).unread_count).toBe(1);
  const group = await ask();
  expect(await inbox(ben)).toEqual([group.message_id, id]);
  await ben.api.blockUser({ username: 'ann' });
  expect(await inbox(ben)).toEqual([]);
  await expect(ben.api.decide({ decision_id: id, option: 'yes' })).rejects.toMatchObject(refused(403));
});

test('PUSH-28: the push of a decision says to its deciders that it needs them, and is taken back when it has ended', () =>
  withDevices(async (stage) => {
    const { alice, chat_id, push, laptop, pass } = stage;
    const ask = (text: string) => alice.api.askDecision({ chat_id, text, options: yesNo });
    const bodies = () => push.of('tablet').map(({ payload }) => payload?.['body'] ?? 'close');
    const { id: decision_id } = await ask('Tea?');
    await pass();
    expect(bodies()).toEqual(['Needs you: Tea?\nDeploy\nWait']);
    await laptop.api.decide({ decision_id, option: 'yes' });
    await pass();
    expect(bodies()).toEqual(['Needs you: Tea?\nDeploy\nWait', 'close']);
    // One that has ended before it was pushed is not pushed; with several nodes the push may be faster.
    const next = await ask('Coffee?');
    await laptop.api.decide({ decision_id: next.id, option: 'no' });
    await pass();
    expect([[], ['Needs you: Coffee?\nDeploy\nWait', 'close']]).toContainEqual(bodies().slice(2));
  }));

test('PUSH-28: of a private decision only its deciders’ devices receive a push; others are told what it says, not that it needs them', () =>
  withPushes(async ({ world, push, pushed }) => {
    const { ben, cleo, ask } = await scene(world);
    for (const actor of [ben, cleo])
      await actor.api.registerPushToken({ platform: 'web', token: push.subscribe(actor.username) });
    const bodies = (name: string) => push.of(name).map(({ payload }) => payload?.['body']);
    await ask({ text: 'Secret?', deciders: ['ben'], private: true });
    await pushed();
    await ask({ text: 'Open?', deciders: ['ben'] });
    await pushed();
    expect(bodies('cleo')).toEqual(['ann: Open?\nDeploy\nWait']);
    expect(bodies('ben')).toEqual(['ann: Needs you: Secret?\nDeploy\nWait', 'ann: Needs you: Open?\nDeploy\nWait']);
  }));
