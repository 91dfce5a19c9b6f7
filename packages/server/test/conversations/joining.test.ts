import { type Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const forbidden = { status: 403, code: 'forbidden' };
const notFound = { status: 404, code: 'not_found', description: 'not found: invite' };

let world: World;
let scenes = 0;

/** A group with an owner and a member, and a person outside; new people for each test. */
async function scene() {
  scenes += 1;
  const person = (name: string) => world.person(`${name}${scenes}`);
  const [owner, member, newcomer] = [await person('owner'), await person('member'), await person('newcomer')];
  const { id: chat_id } = await world.group(owner, member);
  const namesIn = async () =>
    (await owner.api.getMembers({ chat_id })).items.map(({ username }) => username.replace(String(scenes), ''));
  const uses = async () => (await owner.api.getInvites({ chat_id })).items.map((invite) => invite.uses);
  return { owner, member, newcomer, chat_id, namesIn, uses };
}
const invite = (owner: Actor, chat_id: string, more: object = {}) => owner.api.createInvite({ chat_id, ...more });

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('INVITE-6: a person who joins is a member and sees all history; sockets with `ext` are notified', async () => {
  const { owner, member, newcomer, chat_id, uses } = await scene();
  const { token } = await invite(owner, chat_id);
  await member.api.sendMessage({ chat_id, text: 'before' });
  const [inside, outside, plain] = [await member.socket('ext'), await newcomer.socket('ext'), await newcomer.socket()];
  const joined = await checkReplay(world, [owner, member, newcomer], () => newcomer.api.joinChat({ token }));
  expect(joined).toMatchObject({ id: chat_id, kind: 'group', participant_count: 3, unread_count: 0 });
  expect(joined.participants.at(-1)).toMatchObject({ username: newcomer.username, role: 'member' });
  expect(joined).toEqual(await newcomer.api.getChat({ chat_id }));
  expect(outside.all('conversationNew')).toMatchObject([{ id: chat_id, participant_count: 3 }]);
  expect(inside.all('conversationUpdated')).toMatchObject([{ conversation_id: chat_id, participant_count: 3 }]);
  expect(plain.all('conversationNew')).toEqual([]);
  const { items } = await newcomer.api.getChatHistory({ chat_id });
  expect(items).toMatchObject([
    { content: 'before' },
    { content: expect.stringContaining('joined'), service: { kind: 'joined_by_invite' } },
  ]);
  expect(await uses()).toEqual([1]);
  await checkReplay(world, [owner, newcomer], () => owner.api.sendMessage({ chat_id, text: 'after' }));
  expect(plain.all('messageNew')).toMatchObject([{ content: expect.stringContaining('joined') }, { content: 'after' }]);
});

test('INVITE-6: agents are added by their owners and cannot join by invites', async () => {
  const { owner, member, newcomer, chat_id, uses } = await scene();
  const { token } = await invite(owner, chat_id);
  const [outside, inside] = [await world.bot(newcomer), await world.bot(member)];
  await member.api.addGroupAgent({ chat_id, agent_username: inside.username });
  for (const bot of [outside, inside]) await expect(bot.api.joinChat({ token })).rejects.toMatchObject(forbidden);
  await expect(outside.api.joinChat({ token: 'i_guess' })).rejects.toMatchObject(notFound);
  expect(await uses()).toEqual([0]);
});

test('INVITE-6, GROUP-3: joining a full group is refused and uses up no use of the invite', async () => {
  await using small = await createWorld({ settings: { groupMembers: 2 } });
  const { ann, bob, cleo } = await small.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await small.group(ann, bob);
  const { token } = await invite(ann, chat_id, { max_uses: 1 });
  await expect(cleo.api.joinChat({ token })).rejects.toMatchObject({ status: 400, parameters: { field: 'token' } });
  await bob.api.leaveChat({ chat_id });
  expect(await cleo.api.joinChat({ token })).toMatchObject({ participant_count: 2 });
});

test('INVITE-7: an invalid invite is 404, whatever the reason', async () => {
  const clock = new ManualClock();
  await using other = await createWorld({ clock });
  const { ann, bob, cleo, dora } = await other.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await other.group(ann);
  const [usedUp, revoked, expired, blocked] = [
    await invite(ann, chat_id, { max_uses: 1 }),
    await invite(ann, chat_id),
    await invite(ann, chat_id, { expires_in: 60 }),
    await invite(ann, chat_id),
  ];
  await bob.api.joinChat({ token: usedUp.token });
  await ann.api.revokeInvite({ invite_id: revoked.id });
  await clock.advance(60_000);
  const left = await other.group(cleo);
  const abandoned = await invite(cleo, left.id);
  await cleo.api.leaveChat({ chat_id: left.id });
  await dora.api.blockUser({ username: 'ann' });
  const tokens = [usedUp, revoked, expired, blocked, abandoned].map(({ token }) => token);
  const refusals = await Promise.all(
    [...tokens, 'i_guess', 'x', usedUp.token.slice(0, -1)].map((token) => failure(dora.api.joinChat({ token }))),
  );
  for (const refusal of refusals) expect(refusal).toMatchObject(notFound);
  for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
  // Another manager's invite to the same group.
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const { token } = await invite(bob, chat_id);
  expect(await dora.api.joinChat({ token })).toMatchObject({ id: chat_id });
});

test('INVITE-8: a member who joins again gets the Conversation; no use is counted and no event sent', async () => {
  const { owner, member, newcomer, chat_id, uses } = await scene();
  const { token } = await invite(owner, chat_id, { max_uses: 2 });
  const socket = await owner.socket('ext');
  for (const who of [owner, member])
    expect(await who.api.joinChat({ token })).toEqual(await who.api.getChat({ chat_id }));
  const twice = await Promise.all([newcomer.api.joinChat({ token }), newcomer.api.joinChat({ token })]);
  expect(twice[0]).toEqual(twice[1]);
  await world.settle();
  expect(socket.all('conversationUpdated')).toHaveLength(1);
  expect(await uses()).toEqual([1]);
});

test('INVITE-8: a person who took the last use but did not receive the answer can retry within an hour', async () => {
  const clock = new ManualClock();
  await using other = await createWorld({ clock });
  const { ann, bob } = await other.people('ann', 'bob');
  const { id: chat_id } = await other.group(ann);
  const { token } = await invite(ann, chat_id, { max_uses: 1 });
  const short = await invite(ann, chat_id, { max_uses: 1, expires_in: 60 });
  await bob.api.joinChat({ token });
  await other.crash();
  expect(await bob.api.joinChat({ token })).toMatchObject({ id: chat_id, participant_count: 2 });
  // Joining again after a removal is not a retry.
  await ann.api.removeMember({ chat_id, username: 'bob' });
  await expect(bob.api.joinChat({ token })).rejects.toMatchObject(notFound);
  await bob.api.joinChat({ token: short.token });
  await clock.advance(60_000);
  await expect(bob.api.joinChat({ token: short.token })).rejects.toMatchObject(notFound);
  expect(await bob.api.joinChat({ token })).toMatchObject({ id: chat_id });
  await clock.advance(3_540_000);
  await expect(bob.api.joinChat({ token })).rejects.toMatchObject(notFound);
});

test('INVITE-9: of many concurrent callers exactly as many join as there are uses left', async () => {
  const { owner, chat_id, namesIn, uses } = await scene();
  const { token } = await invite(owner, chat_id, { max_uses: 3 });
  const many: Actor[] = [];
  for (let at = 0; at < 12; at += 1) many.push(await world.person(`many${scenes}_${at}`));
  const refusals = await checkReplay(world, [owner], () =>
    Promise.all(many.map(({ api }) => failure(api.joinChat({ token })))),
  );
  expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(3);
  for (const refusal of refusals) if (refusal !== undefined) expect(refusal).toMatchObject(notFound);
  expect(await namesIn()).toHaveLength(5);
  expect(await uses()).toEqual([]);
});

test('INVITE-10: an invite outlives its maker’s role and membership, and lets a removed person back in', async () => {
  const { owner, member, newcomer, chat_id, namesIn } = await scene();
  await owner.api.setMemberRole({ chat_id, username: member.username, role: 'admin' });
  const { id: invite_id, token } = await invite(member, chat_id);
  await owner.api.setMemberRole({ chat_id, username: member.username, role: 'member' });
  await newcomer.api.joinChat({ token });
  await owner.api.removeMember({ chat_id, username: member.username });
  await owner.api.removeMember({ chat_id, username: newcomer.username });
  expect((await owner.api.getInvites({ chat_id })).items).toMatchObject([
    { id: invite_id, created_by: member.username, uses: 1 },
  ]);
  await checkReplay(world, [owner, newcomer], () => newcomer.api.joinChat({ token }));
  expect(await namesIn()).toEqual(['owner', 'newcomer']);
  // Its maker no longer manages the group.
  await expect(member.api.revokeInvite({ invite_id })).rejects.toMatchObject(notFound);
  await owner.api.revokeInvite({ invite_id });
  await expect(member.api.joinChat({ token })).rejects.toMatchObject(notFound);
});

test('INVITE-6, STORE-7: an invite and the members it brought survive a crash', async () => {
  await using other = await createWorld();
  const { ann, bob, cleo } = await other.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await other.group(ann);
  const { token } = await invite(ann, chat_id, { max_uses: 2 });
  await bob.api.joinChat({ token });
  const late = await bob.follower('ext').load();
  await other.crash();
  expect((await ann.api.getInvites({ chat_id })).items).toMatchObject([{ token, uses: 1, max_uses: 2 }]);
  await cleo.api.joinChat({ token });
  await late.connect();
  await other.settle();
  await late.compare();
  await late.drop();
});

test('INVITE-13: a client cannot send the notice that somebody has joined', async () => {
  const { member, chat_id } = await scene();
  const sent = member.api.sendMessage({ chat_id, text: 'x', service: { kind: 'joined_by_invite' } });
  expect(await failure(sent)).toMatchObject({ status: 400, parameters: { field: 'service.kind' } });
  await member.api.sendMessage({ chat_id, text: '', service: { kind: 'call_started' } });
});
