import { type Actor, checkReplay, createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { keyedAgent } from '../helpers/agents.ts';
import { withRole } from '../helpers/roles.ts';

const forbidden = { status: 403 };
const missing = { status: 404 };

const publicGroup = (by: Actor, title = 'Garden', ...members: Actor[]) =>
  by.api.startChat({ usernames: members.map(({ username }) => username), title, visibility: 'public' });

const titles = async (who: Actor, query?: string) =>
  (await who.api.browseChats({ query })).items.map(({ title }) => title);

/** All pages, one group each. */
async function everyPage(who: Actor): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await who.api.browseChats({ limit: 1, cursor });
    expect(page.items).toHaveLength(1);
    found.push(...page.items.map(({ title }) => title));
    if (page.next_cursor === undefined) return found;
    cursor = page.next_cursor;
  }
}

test('PUBLIC-1: a group is private unless it is made public; a direct chat has neither setting', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  expect(await world.group(ann, bob)).toMatchObject({ visibility: 'private', posting: 'everyone' });
  expect(await publicGroup(ann)).toMatchObject({ visibility: 'public', posting: 'everyone' });
  expect(
    await ann.api.startChat({ usernames: [], title: 'News', visibility: 'public', posting: 'managers' }),
  ).toMatchObject({ visibility: 'public', posting: 'managers' });
  expect(await world.direct(ann, bob)).toMatchObject({ visibility: 'private', posting: 'everyone' });
  for (const given of [{ visibility: 'public' }, { posting: 'managers' }] as const)
    await expect(ann.api.startChat({ username: 'bob', ...given })).rejects.toMatchObject({ status: 400 });
});

test('PUBLIC-2: owner and admins change the visibility; sockets with `ext` and replays follow, and members stay', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const ext = await cleo.socket('ext');
  const set = (visibility: 'public' | 'private', who = ann) => who.api.setChatVisibility({ chat_id, visibility });
  await checkReplay(world, [ann, cleo], async () => {
    expect(await set('public', bob)).toMatchObject({ id: chat_id, visibility: 'public' });
    await set('public');
  });
  await dora.api.joinChat({ chat_id });
  await checkReplay(world, [ann, dora], () => set('private'));
  expect((await dora.api.getChat({ chat_id })).visibility).toBe('private');
  await world.settle();
  const sent = ext.all('conversationUpdated').flatMap((params) => params.visibility ?? []);
  expect(sent).toEqual(['public', 'private']);
  for (const who of [cleo, dora]) await expect(set('public', who)).rejects.toMatchObject(forbidden);
  const { id: direct } = await world.direct(ann, bob);
  await expect(ann.api.setChatVisibility({ chat_id: direct, visibility: 'public' })).rejects.toMatchObject(forbidden);
});

test('PUBLIC-3: browseChats finds public groups by words, the newest first, each once over all pages', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  await world.group(ann, bob);
  const { id: garden } = await publicGroup(ann, 'Garden of Eden');
  await publicGroup(ann, 'Running', bob);
  await publicGroup(ann, 'Books');
  await ann.api.setChatDescription({ chat_id: garden, description: 'Tomatoes and Äpfel' });
  expect(await titles(bob)).toEqual(['Books', 'Running', 'Garden of Eden']);
  expect(await everyPage(bob)).toEqual(['Books', 'Running', 'Garden of Eden']);
  for (const query of ['garden', 'eden gar', 'tomato', 'apfel', ' Garden '])
    expect(await titles(bob, query), query).toEqual(['Garden of Eden']);
  for (const query of ['arden', 'pets', 'garden pets']) expect(await titles(bob, query), query).toEqual([]);
  // A page that begins while others change leaves out nobody.
  const page = await bob.api.browseChats({ limit: 1 });
  await publicGroup(ann, 'Newer');
  const { items } = await bob.api.browseChats({ limit: 2, cursor: page.next_cursor });
  expect(items.map(({ title }) => title)).toEqual(['Running', 'Garden of Eden']);
});

test('PUBLIC-4: it says nothing of messages but the time of the newest, and neither agents nor limited sessions call it', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await publicGroup(ann, 'Garden', bob);
  const only = async (who: Actor) => (await who.api.browseChats({})).items[0];
  expect(await only(cleo)).toEqual({ id: chat_id, title: 'Garden', participant_count: 2, joined: false });
  const { created_at } = await ann.api.sendMessage({ chat_id, text: 'a secret word' });
  await ann.api.setChatDescription({ chat_id, description: 'about' });
  expect(await only(cleo)).toEqual({
    id: chat_id,
    title: 'Garden',
    description: 'about',
    participant_count: 2,
    last_message_at: created_at,
    joined: false,
  });
  expect(await only(bob)).toMatchObject({ joined: true });
  const bot = await world.bot(ann);
  await expect(bot.api.browseChats({})).rejects.toMatchObject(forbidden);
});

test('PUBLIC-5: people join a public group by its id; a private or missing one is 404, and agents get 403', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await publicGroup(ann, 'Garden', bob);
  await ann.api.sendMessage({ chat_id, text: 'before' });
  const [inside, own] = [await bob.socket('ext'), await cleo.socket('ext')];
  await checkReplay(world, [ann, cleo], async () => {
    expect(await cleo.api.joinChat({ chat_id })).toMatchObject({ id: chat_id, unread_count: 0, participant_count: 3 });
    // A repeat changes nothing.
    expect(await cleo.api.joinChat({ chat_id })).toMatchObject({ participant_count: 3 });
  });
  await world.settle();
  expect(own.all('conversationNew')).toHaveLength(1);
  expect(inside.all('conversationUpdated').map((params) => params.participant_count)).toEqual([3]);
  const { id: hidden } = await world.group(ann, bob);
  for (const id of [hidden, '00000000-0000-4000-8000-000000000000'])
    await expect(cleo.api.joinChat({ chat_id: id })).rejects.toMatchObject(missing);
  const bot = await world.bot(cleo);
  await expect(bot.api.joinChat({ chat_id })).rejects.toMatchObject(forbidden);
  for (const wrong of [{}, { chat_id, token: 'i_x' }])
    await expect(cleo.api.joinChat(wrong)).rejects.toMatchObject({ status: 400 });
});

test('PUBLIC-6: who has not joined a public group reads nothing of it', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await publicGroup(ann);
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: 'pumpkin' });
  const socket = await bob.socket('ext');
  for (const read of [
    () => bob.api.getChat({ chat_id }),
    () => bob.api.getChatHistory({ chat_id }),
    () => bob.api.getMembers({ chat_id }),
    () => bob.api.getGroupAgents({ chat_id }),
    () => bob.api.sendMessage({ chat_id, text: 'hi' }),
    () => bob.api.setMessageReaction({ message_id, emoji: '👍' }),
  ])
    await expect(read()).rejects.toMatchObject(forbidden);
  expect((await bob.api.getMessages({ message_ids: [message_id] })).items).toEqual([]);
  expect((await bob.api.searchMessages({ query: 'pumpkin' })).items).toEqual([]);
  await ann.api.sendMessage({ chat_id, text: 'more' });
  await world.settle();
  expect(socket.all('messageNew')).toEqual([]);
});

test('PUBLIC-7: who was removed does not join by itself until it is added or invited again; who left does', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await publicGroup(ann, 'Garden', bob, cleo, dora);
  const join = (who: Actor) => who.api.joinChat({ chat_id });
  await cleo.api.leaveChat({ chat_id });
  await join(cleo);
  for (const { username } of [bob, dora]) await ann.api.removeMember({ chat_id, username });
  for (const who of [bob, dora]) await expect(join(who)).rejects.toMatchObject(forbidden);
  // Neither a time in which the group was private nor a restart changes that.
  await ann.api.setChatVisibility({ chat_id, visibility: 'private' });
  await expect(join(bob)).rejects.toMatchObject(missing);
  await ann.api.setChatVisibility({ chat_id, visibility: 'public' });
  await world.crash();
  await expect(join(bob)).rejects.toMatchObject(forbidden);
  await ann.api.addMembers({ chat_id, usernames: ['bob'] });
  const { token } = await ann.api.createInvite({ chat_id });
  await dora.api.joinChat({ token });
  for (const who of [bob, dora]) {
    await who.api.leaveChat({ chat_id });
    await join(who);
  }
});

test('PUBLIC-8: a full group answers as addMembers does, and of callers at once exactly as many join as fit', async () => {
  await using world = await createWorld({ settings: { groupMembers: 4 } });
  const people = await world.people('ann', 'bob', 'cleo', 'dora', 'eve', 'finn');
  const { id: chat_id } = await publicGroup(people.ann);
  const callers = [people.bob, people.cleo, people.dora, people.eve, people.finn];
  const answers = await Promise.allSettled(callers.map((who) => who.api.joinChat({ chat_id })));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 400 });
  expect((await people.ann.api.getChat({ chat_id })).participant_count).toBe(4);
});

test('PUBLIC-2, PUBLIC-4, PUBLIC-5: guests make no group public, find none and join none but by an invite', async () => {
  await using world = await createWorld();
  const { ann, guest } = await world.people('ann', 'guest');
  const { id: chat_id } = await publicGroup(ann);
  const { token } = await ann.api.createInvite({ chat_id });
  const { id: own } = await guest.api.startChat({ usernames: [], title: 'Own' });
  await withRole(world, guest, 'guest');
  for (const call of [
    () => guest.api.browseChats({}),
    () => guest.api.joinChat({ chat_id }),
    () => guest.api.joinChat({ chat_id: '00000000-0000-4000-8000-000000000000' }),
    () => guest.api.setChatVisibility({ chat_id: own, visibility: 'public' }),
    () => guest.api.startChat({ usernames: [], title: 'Public', visibility: 'public' }),
    () => guest.api.getUserGroups(),
  ])
    await expect(call()).rejects.toMatchObject(forbidden);
  expect(await guest.api.joinChat({ token })).toMatchObject({ id: chat_id });
});

test('PUBLIC-9: new members are in the default groups that an admin of the service has chosen', async () => {
  await using world = await createWorld({ settings: { groupMembers: 3 } });
  const { boss, ann } = await world.people('boss', 'ann');
  await withRole(world, boss, 'admin');
  const first = await publicGroup(ann, 'First');
  const second = await publicGroup(ann, 'Second');
  const { id: hidden } = await world.group(ann);
  const set = (...chats: string[]) => boss.api.setDefaultChats({ chat_ids: chats });
  await expect(ann.api.setDefaultChats({ chat_ids: [first.id] })).rejects.toMatchObject(forbidden);
  await set(first.id);
  for (const wrong of [hidden, '00000000-0000-4000-8000-000000000000'])
    await expect(set(second.id, wrong)).rejects.toMatchObject(missing);
  const groupsOf = async (who: Actor) =>
    (await who.api.getChats({})).items.flatMap(({ kind, title }) => (kind === 'group' ? [title] : []));
  const signedUp = await world.member();
  expect(await groupsOf(signedUp)).toEqual(['First']);
  expect((await ann.api.getChat({ chat_id: first.id })).participant_count).toBe(2);
  expect((await boss.api.browseChats({})).items.map(({ is_default }) => is_default)).toEqual([undefined, true]);
  await set(first.id, second.id);
  expect(new Set(await groupsOf(await world.person('dev_person')))).toEqual(new Set(['First', 'Second']));
  // The first one is full.
  expect(await groupsOf(await world.member())).toEqual(['Second']);
  await ann.api.setChatVisibility({ chat_id: second.id, visibility: 'private' });
  await ann.api.setChatVisibility({ chat_id: second.id, visibility: 'public' });
  expect(await groupsOf(await world.member())).toEqual([]);
  // Those who were there before are in none.
  expect(await groupsOf(boss)).toEqual([]);
});

test('PUBLIC-10: in a public group `pays_for` groups pays for nobody, everyone does', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await publicGroup(ann, 'Garden', bob);
  const agent = await keyedAgent(world, ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const payer = async () => {
    const { agents } = await bob.api.previewDispatch({ chat_id, text: `@${agent.username} ?` });
    return agents[0]?.payer;
  };
  expect(await payer()).toBe(null);
  await bob.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
  await world.turnsEnded();
  expect(world.providers.requestsOf(agent.key)).toHaveLength(0);
  await ann.api.setChatVisibility({ chat_id, visibility: 'private' });
  expect(await payer()).toBe('ann');
  await ann.api.setChatVisibility({ chat_id, visibility: 'public' });
  await ann.api.setBotConfig({ username: agent.username, pays_for: 'everyone' });
  expect(await payer()).toBe('ann');
});

test('PUBLIC-10, KEY-13: when its group becomes public, a reply ends that an owner’s key paid for', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const agent = await keyedAgent(world, ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const reply = agent.steer();
  await bob.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
  await reply.started;
  reply.text('half');
  await ann.api.setChatVisibility({ chat_id, visibility: 'public' });
  await reply.aborted;
  await world.turnsEnded();
  expect((await bob.api.getChatHistory({ chat_id })).items.at(-1)).toMatchObject({ status: 'cancelled' });
});
