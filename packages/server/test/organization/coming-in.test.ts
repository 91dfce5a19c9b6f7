import { type OperationName, operationNames, type OperationPolicy, operations } from '@parley/protocol';
import { Actor, createWorld, ManualClock, type World, type WorldOptions } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { describe, expect, test } from 'vitest';
import { everyOperation, setRole } from '../helpers/every-operation.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';
const forbidden = { status: 403 };

/** A service with sign-up by invite, its owner, an admin and a member. */
async function office(env: Readonly<Record<string, string>> = {}, options: WorldOptions = {}) {
  const world = await createWorld({ ...options, env: { SIGN_UP: 'invite', ...env } });
  const { owner, admin, member } = await world.people('owner', 'admin', 'member');
  await setRole(world, 'owner', 'owner');
  await setRole(world, 'admin', 'admin');
  return { world, owner, admin, member, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

let newcomers = 0;
/** Signs up with an invite. */
async function comeIn(world: World, invite?: string, username = `newcomer${(newcomers += 1)}`): Promise<Actor> {
  const visitor = new Actor(world, username, '');
  const { token } = await visitor.api.signUp({ username, password, ...(invite !== undefined && { invite }) });
  return new Actor(world, username, token);
}

const groupsOf = async ({ api }: Actor): Promise<string[]> =>
  (await api.getChats()).items.filter(({ kind }) => kind === 'group').map(({ id }) => id);

describe('invites', () => {
  test('ENTER-1, CONFIG-8: with SIGN_UP=invite an account needs an invite; with closed none helps', async () => {
    await using stage = await office();
    const { world, owner } = stage;
    const visitor = new Actor(world, '', '');
    expect(await visitor.api.getServerInfo()).toMatchObject({ sign_up: 'invite' });
    expect(await failure(comeIn(world))).toMatchObject(forbidden);
    for (const bad of ['v_none', 'x', `i_${'A'.repeat(43)}`])
      expect(await failure(comeIn(world, bad))).toMatchObject(forbidden);
    const { token, url } = await owner.api.createServiceInvite({});
    expect(url).toBe(`/#invite=${token}`);
    const ann = await comeIn(world, token, 'ann');
    expect(await ann.api.getMe()).toMatchObject({ username: 'ann', role: 'member' });
    expect(await failure(comeIn(world, token, 'ann'))).toMatchObject({ status: 409 });

    await using closed = await office({ SIGN_UP: 'closed' });
    const other = await closed.owner.api.createServiceInvite({});
    expect(await failure(comeIn(closed.world, other.token))).toMatchObject(forbidden);
    const { id: chat_id } = await closed.world.group(closed.owner);
    const ofGroup = await closed.owner.api.createInvite({ chat_id });
    expect(await failure(comeIn(closed.world, ofGroup.token))).toMatchObject(forbidden);
  });

  test('ENTER-1: with open sign-up an invite gives what it says, and one that is not valid is refused', async () => {
    await using stage = await office({ SIGN_UP: 'open' });
    const { world, owner } = stage;
    await comeIn(world);
    const { token } = await owner.api.createServiceInvite({ role: 'guest' });
    expect(await (await comeIn(world, token)).api.getMe()).toMatchObject({ role: 'guest' });
    expect(await failure(comeIn(world, 'v_none'))).toMatchObject(forbidden);
  });

  test('ENTER-2: an invite brings groups that its maker manages; its token is shown once', async () => {
    await using stage = await office();
    const { world, owner, admin, member } = stage;
    const { id: own } = await world.group(member, owner);
    const { id: foreign } = await world.group(owner, member);
    const { id: hidden } = await world.group(owner);
    const { id: direct } = await world.direct(member, owner);
    const invite = await member.api.createServiceInvite({ chat_ids: [own], max_uses: 3, expires_in: 3_600 });
    expect(invite).toMatchObject({
      created_by: 'member',
      max_uses: 3,
      uses: 0,
      role: 'member',
      approval: false,
      chat_ids: [own],
    });
    const { id: open } = await owner.api.startChat({ usernames: [], title: 'Open', visibility: 'public' });
    for (const chat of [foreign, direct, open])
      expect(await failure(member.api.createServiceInvite({ chat_ids: [own, chat] }))).toMatchObject(forbidden);
    for (const chat of [hidden, crypto.randomUUID()])
      expect(await failure(member.api.createServiceInvite({ chat_ids: [chat] }))).toMatchObject({ status: 404 });
    const ann = await comeIn(world, invite.token);
    expect(await groupsOf(ann)).toEqual([own]);
    const { items } = await owner.api.getChatHistory({ chat_id: own });
    expect(items.at(-1)).toMatchObject({ service: { kind: 'joined_by_invite', actor: ann.username } });

    const listed = async ({ api }: Actor) => (await api.getServiceInvites({})).items;
    expect(await listed(member)).toMatchObject([{ id: invite.id, uses: 1 }]);
    expect(JSON.stringify(await listed(admin))).not.toContain(invite.token);
    expect(await listed(admin)).toHaveLength(1);
    expect(await listed(ann)).toEqual([]);
    const revoke = { invite_id: invite.id };
    expect(await failure(ann.api.revokeServiceInvite(revoke))).toMatchObject({ status: 404 });
    await admin.api.revokeServiceInvite(revoke);
    expect(await failure(member.api.revokeServiceInvite(revoke))).toMatchObject({ status: 404 });
    expect(await failure(comeIn(world, invite.token))).toMatchObject(forbidden);
    expect(await rowsIn(world, 'service_invite_chats')).toBe(0);
  });

  test('ENTER-2: an invite expires, and its row is deleted; a maker has at most 100', async () => {
    const clock = new ManualClock();
    await using stage = await office({}, { clock });
    const { world, member } = stage;
    const { id: chat } = await world.group(member);
    const { token } = await member.api.createServiceInvite({ expires_in: 60, chat_ids: [chat] });
    await clock.advance(60_000);
    expect(await failure(comeIn(world, token))).toMatchObject(forbidden);
    expect((await member.api.getServiceInvites({})).items).toEqual([]);
    await clock.advance(2 * 3_600_000);
    await world.settle();
    expect([await rowsIn(world, 'service_invites'), await rowsIn(world, 'service_invite_chats')]).toEqual([0, 0]);
    const [{ key } = { key: 0 }] = await world.sql<{ key: number }>(
      "SELECT key FROM accounts WHERE username = 'member'",
    );
    for (let at = 0; at < 100; at += 1)
      await world.sql(
        `INSERT INTO service_invites (id, creator_key, token_hash, role, approval, created_at) VALUES ($1, $2, $1, 'member', 0, 0)`,
        Buffer.from(`invite ${String(at).padStart(9)}`),
        key,
      );
    expect(await failure(member.api.createServiceInvite({}))).toMatchObject({ status: 400 });
  });

  test('ENTER-3: who_invites decides who invites; guests and bots never do, and an invite ends with its maker’s right', async () => {
    await using stage = await office();
    const { world, owner, admin, member } = stage;
    expect(await member.api.getServiceSettings({})).toMatchObject({ who_invites: 'members' });
    const { id: chat_id } = await world.group(member);
    const [ofService, ofGroup] = [await member.api.createServiceInvite({}), await member.api.createInvite({ chat_id })];
    const bot = await world.bot(member);
    expect(await failure(bot.api.createServiceInvite({}))).toMatchObject(forbidden);
    expect(await failure(member.api.setServiceSettings({ who_invites: 'admins' }))).toMatchObject(forbidden);
    expect(await admin.api.setServiceSettings({ who_invites: 'admins' })).toMatchObject({ who_invites: 'admins' });
    expect(await admin.api.setServiceSettings({})).toMatchObject({ who_invites: 'admins' });
    expect(await failure(member.api.createServiceInvite({}))).toMatchObject(forbidden);
    for (const { token } of [ofService, ofGroup]) expect(await failure(comeIn(world, token))).toMatchObject(forbidden);
    await owner.api.setServiceSettings({ who_invites: 'members' });
    for (const { token } of [ofService, ofGroup]) await comeIn(world, token);
    const changes: [() => Promise<unknown>, () => Promise<unknown>][] = [
      [
        () => owner.api.setAccountRole({ username: 'member', role: 'guest' }),
        () => owner.api.setAccountRole({ username: 'member', role: 'member' }),
      ],
      [
        () => owner.api.setAccountDisabled({ username: 'member', disabled: true }),
        () => owner.api.setAccountDisabled({ username: 'member', disabled: false }),
      ],
    ];
    for (const [end, undo] of changes) {
      await end();
      for (const { token } of [ofService, ofGroup])
        expect(await failure(comeIn(world, token))).toMatchObject(forbidden);
      await undo();
      for (const { token } of [ofService, ofGroup]) await comeIn(world, token);
    }
  });

  test('ENTER-4: of a hundred who come at once exactly as many come in as the invite has uses', async () => {
    await using stage = await office({ RATE_LIMITS: '0' });
    const { world, owner } = stage;
    const { token } = await owner.api.createServiceInvite({ max_uses: 7 });
    const come = await Promise.allSettled(Array.from({ length: 100 }, () => comeIn(world, token)));
    expect(come.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    for (const one of come) if (one.status === 'rejected') expect(one.reason).toMatchObject(forbidden);
    expect(await rowsIn(world, "accounts WHERE username LIKE 'newcomer%' AND kind = 'human'")).toBe(7);
    expect(await rowsIn(world, 'service_invites WHERE uses = 7')).toBe(1);
  });

  test('ENTER-4: a sign-up that fails takes no use, also one that fails in its unit', async () => {
    await using stage = await office();
    const { world, owner } = stage;
    const { token: invite } = await owner.api.createServiceInvite({ max_uses: 1 });
    const visitor = new Actor(world, '', '');
    expect(await failure(visitor.api.signUp({ username: 'owner', password, invite }))).toMatchObject({ status: 409 });
    expect(await failure(visitor.api.signUp({ username: 'weak', password: '11111111', invite }))).toMatchObject({
      status: 400,
    });
    const twins = await Promise.allSettled(['twin', 'twin'].map((name) => comeIn(world, invite, name)));
    expect(twins.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rowsIn(world, 'service_invites WHERE uses = 1')).toBe(1);
  });

  test('ENTER-4: a group’s invite lets in too, counts its use, and joins the group', async () => {
    await using stage = await office();
    const { world, owner, member } = stage;
    const { id: chat_id } = await world.group(member, owner);
    const { token } = await member.api.createInvite({ chat_id, max_uses: 1 });
    const ann = await comeIn(world, token);
    expect(await ann.api.getMe()).toMatchObject({ role: 'member' });
    expect(await groupsOf(ann)).toEqual([chat_id]);
    expect(await failure(comeIn(world, token))).toMatchObject(forbidden);
    const revoked = await member.api.createInvite({ chat_id });
    await member.api.revokeInvite({ invite_id: revoked.id });
    expect(await failure(comeIn(world, revoked.token))).toMatchObject(forbidden);
  });
});

describe('guests', () => {
  test('ENTER-5: a guest is in its groups only, and finds nobody and nothing else', async () => {
    await using stage = await office();
    const { world, owner, member } = stage;
    const stranger = await world.person('stranger');
    const strangersBot = await world.bot(stranger);
    await stranger.api.setBotConfig({ username: strangersBot.username, is_public: true });
    const { id: chat_id } = await world.group(member, owner);
    await world.group(owner, stranger);
    const { token } = await member.api.createServiceInvite({ role: 'guest', chat_ids: [chat_id] });
    const guest = await comeIn(world, token, 'gast');
    expect((await guest.api.getChats()).items.map(({ id }) => id)).toEqual([chat_id]);
    await guest.api.sendMessage({ chat_id, text: 'hello from outside' });

    expect(await failure(guest.api.getUsers({ query: 'str' }))).toMatchObject(forbidden);
    expect(await failure(guest.api.getUsers({ usernames: ['stranger'] }))).toMatchObject(forbidden);
    const hidden = ['stranger', strangersBot.username, 'parley:guide', 'no_such_name'];
    for (const username of hidden) {
      expect([username, await failure(guest.api.startChat({ username }))]).toMatchObject([username, forbidden]);
      const missing = [username, { status: 404, description: 'not found: account' }];
      expect([username, await failure(guest.api.getUser({ username }))]).toMatchObject(missing);
      expect([username, await failure(guest.api.blockUser({ username }))]).toMatchObject(missing);
    }
    expect((await guest.api.getUser({ username: 'owner' })).username).toBe('owner');
    const presence = await guest.api.getPresence({ usernames: ['stranger', 'no_such_name'] });
    expect(presence.items.every((item) => item.status === undefined)).toBe(true);
    for (const username of ['owner', 'gast', 'gast:provider_a']) await guest.api.startChat({ username });
    for (const call of [
      () => guest.api.startChat({ usernames: ['owner'], title: 'mine' }),
      () => guest.api.createInvite({ chat_id }),
      () => guest.api.addMembers({ chat_id, usernames: ['stranger'] }),
      () => guest.api.createServiceInvite({}),
      () => guest.api.createBot({ slug: 'bot', display_name: 'Bot' }),
      () => guest.api.createAgent({ slug: 'agent', display_name: 'Agent', provider: 'provider_a' }),
    ])
      expect(await failure(call())).toMatchObject(forbidden);
    expect((await guest.api.searchMessages({ query: 'hello' })).items).toHaveLength(1);
  });

  test('ENTER-5: with a direct chat that a person has begun, a guest sees that person', async () => {
    await using stage = await office();
    const { world, member } = stage;
    const { token } = await member.api.createServiceInvite({ role: 'guest' });
    const guest = await comeIn(world, token);
    expect(await failure(guest.api.getUser({ username: 'member' }))).toMatchObject({ status: 404 });
    const { id: chat_id } = await member.api.startChat({ username: guest.username });
    await member.api.sendMessage({ chat_id, text: 'welcome' });
    expect(await guest.api.getUser({ username: 'member' })).toMatchObject({ username: 'member' });
  });
});

describe('the groups of an invite', () => {
  test('ENTER-2, ENTER-7: a group that the maker has left or manages no more is left out, also at an approval', async () => {
    await using stage = await office();
    const { world, owner, admin, member } = stage;
    const [{ id: left }, { id: demoted }, { id: kept }] = [
      await world.group(owner, member),
      await world.group(owner, member),
      await world.group(owner, member),
    ];
    for (const chat_id of [left, demoted, kept])
      await owner.api.setMemberRole({ chat_id, username: 'member', role: 'admin' });
    const chat_ids = [left, demoted, kept];
    const direct = await member.api.createServiceInvite({ chat_ids });
    const approved = await member.api.createServiceInvite({ chat_ids, approval: true });
    const ann = await comeIn(world, approved.token, 'ann');
    await owner.api.removeMember({ chat_id: left, username: 'member' });
    await owner.api.setMemberRole({ chat_id: demoted, username: 'member', role: 'member' });
    expect(await groupsOf(await comeIn(world, direct.token))).toEqual([kept]);
    await admin.api.approveAccount({ username: 'ann', approved: true });
    expect(await groupsOf(ann)).toEqual([kept]);
    // A group's own invite outlives the role of its maker.
    const { token } = await owner.api.createInvite({ chat_id: demoted });
    await owner.api.setMemberRole({ chat_id: demoted, username: 'member', role: 'owner' });
    await owner.api.leaveChat({ chat_id: demoted });
    expect(await groupsOf(await comeIn(world, token))).toEqual([demoted]);
  });

  test('ENTER-2, ENTER-7: a full group is left out; the own invite of one lets nobody in', async () => {
    await using stage = await office({}, { settings: { groupMembers: 2 } });
    const { world, owner, admin, member } = stage;
    const { id: full } = await world.group(member);
    const { id: free } = await world.group(member);
    const { token: ofGroup } = await member.api.createInvite({ chat_id: full });
    const chat_ids = [full, free];
    const { token } = await member.api.createServiceInvite({ chat_ids });
    const waiting = await member.api.createServiceInvite({ chat_ids, approval: true });
    const ann = await comeIn(world, waiting.token, 'ann');
    await member.api.addMembers({ chat_id: full, usernames: ['owner'] });
    const bob = await comeIn(world, token, 'bob');
    expect(await groupsOf(bob)).toEqual([free]);
    await bob.api.leaveChat({ chat_id: free });
    await admin.api.approveAccount({ username: 'ann', approved: true });
    expect(await groupsOf(ann)).toEqual([free]);
    expect(await failure(comeIn(world, ofGroup))).toMatchObject({ status: 400 });
    expect(await groupsOf(owner)).toEqual([full]);
  });
});

describe('approval', () => {
  test('ENTER-6: a pending account does nothing but getMe, signOut and deleteAccount, has no socket, and is not found', async () => {
    await using stage = await office();
    const { world, owner, member } = stage;
    const { id: chat_id } = await world.group(member);
    const { token } = await member.api.createServiceInvite({ approval: true, chat_ids: [chat_id] });
    const ann = await comeIn(world, token, 'ann');
    expect(await ann.api.getMe()).toMatchObject({ pending: true });
    const call = ann.api as unknown as Record<OperationName, (params: object) => Promise<unknown>>; // by name
    const waits = operationNames.filter((name) => {
      const { open, pending }: OperationPolicy = operations[name].policy;
      return !open && !pending;
    });
    expect(operationNames.filter((name) => !waits.includes(name) && !operations[name].policy.open)).toEqual(
      expect.arrayContaining(['signOut', 'getMe', 'deleteAccount']),
    );
    for (const name of waits) expect([name, await failure(call[name]({}))]).toMatchObject([name, forbidden]);
    expect(await failure(ann.socket())).toMatchObject(forbidden);
    expect((await member.api.getUsers({ query: 'ann' })).items).toEqual([]);
    expect((await member.api.getMembers({ chat_id })).items).toHaveLength(1);
    expect((await owner.api.getAccounts({ pending: true })).items).toMatchObject([{ username: 'ann', pending: true }]);
    expect(await failure(ann.api.deleteAccount({ password: 'a wrong password' }))).toMatchObject(forbidden);
    await ann.api.deleteAccount({ password });
    const bob = await comeIn(world, token, 'bob');
    await bob.api.signOut();
    expect(await failure(bob.api.getMe())).toMatchObject({ status: 401 });
    expect(await (await world.signIn(bob)).api.getMe()).toMatchObject({ pending: true });
    expect(Object.keys(everyOperation)).toHaveLength(operationNames.length);
  });

  test('ENTER-6: nobody brings a pending account into a conversation or a group of people, and it downloads nothing', async () => {
    await using stage = await office();
    const { world, admin, member } = stage;
    const { token } = await member.api.createServiceInvite({ approval: true });
    const ann = await comeIn(world, token, 'ann');
    const { id: chat_id } = await world.group(member);
    const attempts = [
      () => member.api.addMembers({ chat_id, usernames: ['ann'] }),
      () => member.api.startChat({ usernames: ['ann'], title: 'with ann' }),
      () => member.api.startChat({ username: 'ann' }),
      () => admin.api.createUserGroup({ name: 'team', title: 'Team', usernames: ['ann'] }),
    ];
    for (const attempt of attempts)
      expect(await failure(attempt())).toMatchObject({ status: 404, description: 'not found: account' });
    const url = `${world.url}/files/0190b7a0-0000-7000-8000-000000000000`;
    const download = async () => (await fetch(url, { headers: { authorization: `Bearer ${ann.token}` } })).status;
    expect(await download()).toBe(403);
    await admin.api.approveAccount({ username: 'ann', approved: true });
    expect(await download()).toBe(404);
    for (const attempt of attempts) await attempt();
  });

  test('ENTER-7: an approved account joins the groups of its invite; a refused one is deleted; twice is once', async () => {
    await using stage = await office();
    const { world, owner, admin, member } = stage;
    const { id: chat_id } = await world.group(member);
    const { token } = await member.api.createServiceInvite({ approval: true, chat_ids: [chat_id] });
    const [ann, bob] = [await comeIn(world, token, 'ann'), await comeIn(world, token, 'bob')];
    expect(await failure(member.api.approveAccount({ username: 'ann', approved: true }))).toMatchObject(forbidden);
    await Promise.all([1, 2].map(() => admin.api.approveAccount({ username: 'ann', approved: true })));
    expect(await ann.api.getMe()).not.toHaveProperty('pending');
    expect(await groupsOf(ann)).toEqual([chat_id]);
    await (await ann.socket()).close();
    expect(await failure(admin.api.approveAccount({ username: 'ann', approved: false }))).toMatchObject({
      status: 409,
    });
    await owner.api.approveAccount({ username: 'bob', approved: false });
    expect(await failure(bob.api.getMe())).toMatchObject({ status: 401 });
    expect(await failure(world.signIn(bob))).toMatchObject({ status: 401 });
    expect(await rowsIn(world, 'pending_joins')).toBe(0);
    expect((await owner.api.getAccounts({ query: 'bob' })).items).toEqual([]);
    expect(await failure(owner.api.getUser({ username: 'bob' }))).toMatchObject({ status: 404 });
  });
});

describe('a link for a new password', () => {
  test('ENTER-9: it works once, for a day, ends with a later one, and ends all sessions', async () => {
    const clock = new ManualClock();
    await using stage = await office({ SIGN_UP: 'open' }, { clock });
    const { world, admin } = stage;
    const ann = await world.member('ann');
    const visitor = new Actor(world, '', '');
    const linkTo = async () => (await admin.api.resetPassword({ username: 'ann' })).link;
    const tokenOf = (link: string) => link.split('#')[1] ?? '';
    const first = await linkTo();
    expect(first).toMatch(/^\/password#p_[\w-]{43}$/);
    await ann.api.getMe();
    const second = tokenOf(await linkTo());
    const fresh = 'four other words together';
    expect(await failure(visitor.api.setPasswordByLink({ token: tokenOf(first), password: fresh }))).toMatchObject({
      status: 404,
    });
    expect(await failure(visitor.api.setPasswordByLink({ token: second, password: 'annannann' }))).toMatchObject({
      status: 400,
    });
    const both = await Promise.allSettled(
      [1, 2].map(() => visitor.api.setPasswordByLink({ token: second, password: fresh })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await failure(ann.api.getMe())).toMatchObject({ status: 401 });
    expect(await failure(world.signIn(ann))).toMatchObject({ status: 401 });
    await visitor.api.signIn({ username: 'ann', password: fresh });
    const late = tokenOf(await linkTo());
    await clock.advance(24 * 3_600_000);
    expect(await failure(visitor.api.setPasswordByLink({ token: late, password }))).toMatchObject({ status: 404 });
    for (const table of ['password_links', 'service_settings'])
      expect(JSON.stringify(await world.sql(`SELECT * FROM ${table}`))).not.toContain(late);
  });

  test('ENTER-9: it ends with a new password, a new role, and when its maker may no longer change the account', async () => {
    await using stage = await office({ SIGN_UP: 'open' });
    const { world, owner, admin } = stage;
    const visitor = new Actor(world, '', '');
    const fresh = 'four other words together';
    const ends: Record<string, (ann: Actor) => Promise<unknown>> = {
      changePassword: ({ api }) => api.changePassword({ old_password: password, new_password: fresh }),
      promotion: async ({ username }) => {
        await owner.api.setAccountRole({ username, role: 'admin' });
        await owner.api.setAccountRole({ username, role: 'member' });
      },
      demotion: () => owner.api.setAccountRole({ username: 'admin', role: 'moderator' }),
      disabling: () => owner.api.setAccountDisabled({ username: 'admin', disabled: true }),
    };
    for (const [how, end] of Object.entries(ends)) {
      await setRole(world, 'admin', 'admin');
      const ann = await world.member();
      const { link } = await admin.api.resetPassword({ username: ann.username });
      await end(ann);
      const use = visitor.api.setPasswordByLink({ token: link.split('#')[1] ?? '', password: fresh });
      expect([how, await failure(use)]).toMatchObject([how, { status: 404 }]);
    }
  });
});
