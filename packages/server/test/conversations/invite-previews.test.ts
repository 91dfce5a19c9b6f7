import { createApi } from '@parley/client';
import { checkReplay, createWorld, ManualClock } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';

const PASSWORD = 'correct horse battery staple';
const notFound = { status: 404, code: 'not_found', description: 'not found: invite' };

test('INVITE-12: the holder of a token learns the title, the number of members and who invites, also without an account', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  await ann.api.updateProfile({ display_name: 'Ann Archer' });
  const { id: chat_id } = await ann.api.startChat({ usernames: ['bob'], title: 'Summer trip' });
  const { token } = await ann.api.createInvite({ chat_id, max_uses: 1 });
  const preview = { title: 'Summer trip', member_count: 2, invited_by: 'Ann Archer' };
  const guest = createApi({ url: world.url });
  const socket = await bob.socket();
  expect(await socket.rpc('getInvite', { token })).toEqual(preview);
  for (const api of [guest, ann.api, cleo.api]) expect(await api.getInvite({ token })).toEqual(preview);
  expect(await ann.api.getInvites({ chat_id })).toMatchObject({ items: [{ uses: 0 }] });
  await cleo.api.joinChat({ token });
  await expect(guest.getInvite({ token })).rejects.toMatchObject(notFound);
});

test('INVITE-12: an invite with which nobody can join is 404, whatever the reason', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann);
  const invite = (more: object = {}) => ann.api.createInvite({ chat_id, ...more });
  const [usedUp, revoked, expired] = [await invite({ max_uses: 1 }), await invite(), await invite({ expires_in: 60 })];
  await bob.api.joinChat({ token: usedUp.token });
  await ann.api.revokeInvite({ invite_id: revoked.id });
  await clock.advance(60_000);
  const left = await world.group(cleo);
  const abandoned = await cleo.api.createInvite({ chat_id: left.id });
  await cleo.api.leaveChat({ chat_id: left.id });
  const guest = createApi({ url: world.url });
  const tokens = [usedUp, revoked, expired, abandoned].map(({ token }) => token);
  const refusals = await Promise.all([...tokens, 'i_guess', 'x'].map((token) => failure(guest.getInvite({ token }))));
  for (const refusal of refusals) expect(refusal).toMatchObject(notFound);
  for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
});

test('INVITE-12: an invite whose creator deleted the account names nobody', async () => {
  await using world = await createWorld();
  const ann = await world.member('ann');
  const { bob, cleo } = await world.people('bob', 'cleo');
  const { id: chat_id } = await world.group(ann, bob);
  const { token } = await ann.api.createInvite({ chat_id });
  await ann.api.deleteAccount({ password: PASSWORD });
  expect(await cleo.api.getInvite({ token })).toEqual({ title: 'a group', member_count: 1 });
  await cleo.api.joinChat({ token });
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items.map(({ service }) => service)).toEqual([{ kind: 'joined_by_invite', actor: 'cleo' }]);
});

test('INVITE-12, LIMIT-2: getInvite and joinChat share the rate of an address', async () => {
  await using world = await createWorld({
    clock: new ManualClock(),
    env: { RATE_LIMITS: '1', RATE_ADDRESS_JOINS_PER_MINUTE: '3' },
  });
  world.stayOnFirst();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann);
  const { token } = await ann.api.createInvite({ chat_id });
  const guest = createApi({ url: world.nodeUrl });
  await bob.api.joinChat({ token });
  await guest.getInvite({ token });
  await failure(guest.getInvite({ token: 'i_guess' }));
  await expect(guest.getInvite({ token })).rejects.toMatchObject({ status: 429, parameters: { retry_after: 20 } });
  await expect(bob.api.joinChat({ token })).rejects.toMatchObject({ status: 429 });
});

test('INVITE-13: a join is a service notice of the newcomer, the same for a client that was away', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann, bob);
  const { token } = await ann.api.createInvite({ chat_id });
  const [inside, newcomers] = [await bob.socket(), await cleo.socket('ext')];
  await checkReplay(world, [ann, bob, cleo], () => cleo.api.joinChat({ token }));
  const notice = {
    sender: { username: 'cleo' },
    content: 'cleo joined with an invite from ann',
    service: { kind: 'joined_by_invite', actor: 'cleo', data: { invited_by: 'ann' } },
    dispatch: [],
    status: 'complete',
  };
  expect(inside.all('messageNew')).toMatchObject([notice]);
  expect(newcomers.all('messageNew')).toMatchObject([notice]);
  for (const { api } of [bob, cleo]) {
    expect(await api.getChat({ chat_id })).toMatchObject({ unread_count: 0, last_message: notice });
    expect((await api.getChatHistory({ chat_id })).items).toMatchObject([notice]);
  }
  // Who is in the group already, or comes back to it, joins without and with a notice.
  await cleo.api.joinChat({ token });
  await cleo.api.leaveChat({ chat_id });
  await cleo.api.joinChat({ token });
  await ann.api.addMembers({ chat_id, usernames: ['cleo'] });
  expect((await bob.api.getChatHistory({ chat_id })).items).toMatchObject([notice, notice]);
});

test('INVITE-13: joins at the same time leave one notice each', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann);
  const { token } = await ann.api.createInvite({ chat_id });
  const calls = [bob, bob, cleo, bob, cleo].map(({ api }) => api.joinChat({ token }));
  await checkReplay(world, [ann], () => Promise.all(calls));
  const { items } = await ann.api.getChatHistory({ chat_id });
  expect(items.map(({ sender }) => sender.username).toSorted()).toEqual(['bob', 'cleo']);
});

test('INVITE-13: a join is pushed to nobody and fires no agent', () =>
  withPushes(async ({ world, push, pushed }) => {
    const { ann, bob } = await world.people('ann', 'bob');
    const { id: chat_id } = await world.group(ann);
    const bot = await world.bot(ann);
    await ann.api.addGroupAgent({ chat_id, agent_username: bot.username, always_on: true });
    await ann.api.registerPushToken({ platform: 'web', token: push.subscribe('ann') });
    const { token } = await ann.api.createInvite({ chat_id });
    await bob.api.joinChat({ token });
    expect((await ann.api.getChatHistory({ chat_id })).items).toMatchObject([
      { content: 'bob joined with an invite from ann', dispatch: [] },
    ]);
    await bob.api.sendMessage({ chat_id, text: 'hello' });
    await pushed();
    expect(push.bodies('ann')).toEqual(['bob: hello']);
  }));
