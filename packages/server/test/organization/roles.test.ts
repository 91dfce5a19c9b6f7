import { ApiError } from '@parley/client';
import {
  type AccountRole,
  accountRoles,
  isAtLeast,
  leastRole,
  type OperationName,
  operationNames,
  operations,
} from '@parley/protocol';
import { Actor, createWorld, type TestSocket, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { describe, expect, test } from 'vitest';
import { directScenes, everyOperation, setRole } from '../helpers/every-operation.ts';

const password = 'correct horse battery staple';
const forbidden = { status: 403 };
const conflict = { status: 409 };

/** A person with each role. */
async function staff(world: World): Promise<Record<AccountRole, Actor>> {
  const cast = await world.people(...accountRoles);
  for (const role of accountRoles) await setRole(world, role, role);
  return cast;
}

const roleOf = async (actor: Actor): Promise<AccountRole | undefined> => (await actor.api.getMe()).role;

describe('operations and roles', () => {
  /** Whether a call is refused because of the caller's role. */
  const isTooLow = (error: unknown): boolean =>
    error instanceof ApiError &&
    error.code === 'forbidden' &&
    /^(guests may not do this|only for the role \w+ and above)$/.test(error.description);

  test('ROLE-2: every operation is refused to every role below its least, and to no other', async () => {
    await using world = await createWorld();
    const cast = await staff(world);
    const nextScene = await directScenes(world);
    // `directScenes` has people of these names, whose service roles it sets.
    for (const role of accountRoles) await setRole(world, role, role);
    const scene = await nextScene();
    for (const name of operationNames) {
      const least = leastRole(operations[name].policy);
      const refused: string[] = [];
      for (const role of accountRoles) {
        const call = cast[role].api as unknown as Record<OperationName, (params: object) => Promise<unknown>>; // by name
        // Calls with bad fields are refused too: nothing else is looked at before.
        if (isTooLow(await failure(call[name]({ ...everyOperation[name].params(scene), limit: 'bad' }))))
          refused.push(role);
      }
      const below = accountRoles.filter((role) => !isAtLeast(role, least));
      expect([name, refused]).toEqual([name, below]);
    }
  });

  test('ROLE-3: the bots of an owner and of an admin administer nothing, those of a guest are guests', async () => {
    await using world = await createWorld();
    const { owner, admin, member } = await staff(world);
    for (const person of [owner, admin]) {
      const bot = await world.bot(person);
      expect(await failure(bot.api.getAccounts({}))).toMatchObject(forbidden);
      expect(await bot.api.getMe()).not.toHaveProperty('role');
    }
    const bot = await world.bot(member);
    expect((await bot.api.getUsers({ usernames: ['owner'] })).items).toHaveLength(1);
    await owner.api.setAccountRole({ username: 'member', role: 'guest' });
    expect(await failure(bot.api.getUsers({ usernames: ['owner'] }))).toMatchObject(forbidden);
  });

  test('ROLE-4: a changed role counts from the next call, also over an open socket, and one of a bot', async () => {
    await using world = await createWorld();
    const { owner, member } = await staff(world);
    const bot = await world.bot(member);
    const [socket, ofBot] = [await member.socket(), await bot.socket()];
    /** Whether a call is refused; a socket of another node hears of the new role in a moment. */
    const refuses = async (one: TestSocket, method: string, isRefused: boolean) => {
      const code = async () => (await failure(one.rpc(method, {}))) as { code: string } | undefined; // of the socket
      const expected = isRefused ? 'forbidden' : undefined;
      if (world.isShared) await expect.poll(async () => (await code())?.code).toBe(expected);
      expect((await code())?.code).toBe(expected);
    };
    await refuses(socket, 'getAccounts', true);
    await owner.api.setAccountRole({ username: 'member', role: 'moderator' });
    await refuses(socket, 'getAccounts', false);
    await owner.api.setAccountRole({ username: 'member', role: 'guest' });
    for (const one of [socket, ofBot]) await refuses(one, 'getUsers', true);
  });
});

test('ROLE-4: who has become a guest after the call was admitted is refused in its unit', async () => {
  await using world = await createWorld();
  const { owner, member, admin } = await staff(world);
  const { id: chat_id } = await world.group(member, admin);
  const [row] = await world.sql<{ key: number }>("SELECT key FROM accounts WHERE username = 'member'");
  const key = Number(row?.key);
  const named = { username: 'member', displayName: 'member', kind: 'human', sessionKey: null } as const;
  const former = { key, ownerKey: key, ...named, role: 'member' } as const;
  await owner.api.setAccountRole({ username: 'member', role: 'guest' });
  const inputs: Partial<Record<OperationName, object>> = {
    addMembers: { chat_id, usernames: ['moderator'] },
    createInvite: { chat_id },
    createBot: { slug: 'late', display_name: 'Late' },
    createAgent: { slug: 'later', display_name: 'Later', provider: 'provider_a' },
    createServiceInvite: {},
  };
  for (const [name, input] of Object.entries(inputs)) {
    const ran = world.service.units.run(name, former, input, world.service.clock.now());
    expect([name, await failure(ran)]).toMatchObject([name, { code: 'forbidden' }]);
  }
});

test('ROLE-4: a role that was lost after the call was admitted is refused in its unit', async () => {
  await using world = await createWorld();
  const { owner } = await staff(world);
  const [row] = await world.sql<{ key: number }>("SELECT key FROM accounts WHERE username = 'member'");
  const key = Number(row?.key);
  const former = {
    key,
    ownerKey: key,
    username: 'member',
    displayName: 'member',
    kind: 'human',
    sessionKey: null,
  } as const;
  const inputs: Partial<Record<OperationName, object>> = {
    setDefaultChats: { chat_ids: [] },
    createUserGroup: { name: 'team', title: 'Team', usernames: [] },
    updateUserGroup: { name: 'crew' },
    deleteUserGroup: { name: 'crew' },
    setServiceSettings: { who_invites: 'admins' },
    endSessions: { username: 'guest' },
  };
  await owner.api.createUserGroup({ name: 'crew', title: 'Crew', usernames: [] });
  for (const [name, input] of Object.entries(inputs)) {
    const ran = world.service.units.run(name, { ...former, role: 'admin' }, input, world.service.clock.now());
    expect([name, await failure(ran)]).toMatchObject([name, { code: 'forbidden' }]);
  }
});

describe('setAccountRole', () => {
  test('ROLE-1, ROLE-5: owners give every role; admins move people below admin; all others are refused', async () => {
    await using world = await createWorld();
    const cast = await staff(world);
    const { owner, admin } = cast;
    const eve = await world.person('eve');
    expect(await roleOf(eve)).toBe('member');
    for (const role of [...accountRoles, 'member'] as const) {
      await owner.api.setAccountRole({ username: 'eve', role });
      expect(await roleOf(eve)).toBe(role);
    }
    for (const role of ['guest', 'moderator', 'member'] as const) {
      await admin.api.setAccountRole({ username: 'eve', role });
      expect(await roleOf(eve)).toBe(role);
    }
    for (const role of ['admin', 'owner'] as const)
      expect(await failure(admin.api.setAccountRole({ username: 'eve', role }))).toMatchObject(forbidden);
    for (const username of ['admin', 'owner'])
      expect(await failure(admin.api.setAccountRole({ username, role: 'member' }))).toMatchObject(forbidden);
    for (const by of [cast.moderator, cast.member, cast.guest])
      expect(await failure(by.api.setAccountRole({ username: 'eve', role: 'guest' }))).toMatchObject(forbidden);
    expect(await failure(owner.api.setAccountRole({ username: 'nobody', role: 'guest' }))).toMatchObject({
      status: 404,
    });
    for (const username of ['eve:provider_a', 'parley'])
      expect(await failure(owner.api.setAccountRole({ username, role: 'guest' }))).toMatchObject({ status: 400 });
  });

  test('ROLE-7: the last owner keeps the role, cannot be disabled, and cannot delete its account', async () => {
    await using world = await createWorld({ hasOwner: true });
    const ann = await world.member('ann');
    const bob = await world.member('bob');
    expect([await roleOf(ann), await roleOf(bob)]).toEqual(['owner', 'member']);
    const attempts = () => [
      ann.api.setAccountRole({ username: 'ann', role: 'admin' }),
      ann.api.setAccountDisabled({ username: 'ann', disabled: true }),
      ann.api.deleteAccount({ password }),
    ];
    for (const attempt of attempts()) expect(await failure(attempt)).toMatchObject(conflict);
    await ann.api.setAccountRole({ username: 'bob', role: 'owner' });
    await ann.api.setAccountDisabled({ username: 'bob', disabled: true });
    // A disabled owner does not count.
    for (const attempt of attempts()) expect(await failure(attempt)).toMatchObject(conflict);
    await ann.api.setAccountDisabled({ username: 'bob', disabled: false });
    await ann.api.deleteAccount({ password });
    const again = await world.signIn(bob);
    expect(await failure(again.api.setAccountRole({ username: 'bob', role: 'member' }))).toMatchObject(conflict);
  });

  test('ROLE-7: an owner who waits for approval does not count', async () => {
    await using world = await createWorld({ hasOwner: true });
    const ann = await world.member('ann');
    const { token } = await ann.api.createServiceInvite({ approval: true });
    await new Actor(world, '', '').api.signUp({ username: 'bob', password, invite: token });
    await ann.api.setAccountRole({ username: 'bob', role: 'owner' });
    expect(await failure(ann.api.setAccountRole({ username: 'ann', role: 'member' }))).toMatchObject(conflict);
    await ann.api.approveAccount({ username: 'bob', approved: true });
    await ann.api.setAccountRole({ username: 'ann', role: 'member' });
  });

  test('ROLE-7: of two owners who go at the same moment exactly one goes', async () => {
    await using world = await createWorld();
    for (const way of ['give up', 'disable each other', 'delete'] as const) {
      const [one, other] = [await world.member(), await world.member()];
      for (const { username } of [one, other]) await setRole(world, username, 'owner');
      const go = (actor: Actor, partner: Actor) => {
        if (way === 'give up') return actor.api.setAccountRole({ username: actor.username, role: 'member' });
        if (way === 'delete') return actor.api.deleteAccount({ password });
        return actor.api.setAccountDisabled({ username: partner.username, disabled: true });
      };
      await Promise.allSettled([go(one, other), go(other, one)]);
      const [row] = await world.sql<{ count: number }>(
        `SELECT count(*) AS count FROM accounts WHERE role = 'owner' AND disabled_at IS NULL AND deleted_at IS NULL`,
      );
      expect([way, Number(row?.count)]).toEqual([way, 1]);
      await world.sql("UPDATE accounts SET role = 'member' WHERE role = 'owner'");
    }
  });
});

describe('the first owner', () => {
  test.each(['signUp', 'a dev: token'])(
    'ROLE-8: of many first people at once by %s exactly one is the owner',
    async (way) => {
      await using world = await createWorld({ hasOwner: true });
      const people = await Promise.all(
        Array.from({ length: 12 }, async (_, at) => {
          const username = `first${at}`;
          const visitor = new Actor(world, username, way === 'signUp' ? '' : `dev:${username}`);
          if (way !== 'signUp') return visitor;
          const { token } = await visitor.api.signUp({ username, password });
          return new Actor(world, username, token);
        }),
      );
      const roles = await Promise.all(people.map(roleOf));
      expect(roles.map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
        ...Array.from({ length: 11 }, () => 'member'),
        'owner',
      ]);
      expect(await roleOf(await world.person('later'))).toBe('member');
      const rows = await world.sql("SELECT username FROM accounts WHERE role = 'owner' AND username LIKE 'parley%'");
      expect(rows).toEqual([]);
    },
  );

  test('ROLE-8: a deleted account was the first all the same', async () => {
    await using world = await createWorld();
    const ann = await world.member('ann');
    await ann.api.deleteAccount({ password });
    expect(await roleOf(await world.person('bob'))).toBe('member');
  });

  test('ROLE-8: the start says in one line that nobody administers the service, unless the first person will', async () => {
    await using world = await createWorld();
    const lines = () => world.logs.filter(({ msg }) => /has no owner/.test(msg)).length;
    expect(lines()).toBe(0);
    await world.person('ann');
    await world.restart();
    expect(lines()).toBe(world.services.length);
    await setRole(world, 'ann', 'owner');
    await world.restart();
    expect(lines()).toBe(world.services.length);
    await using closed = await createWorld({ env: { SIGN_UP: 'invite' } });
    expect(closed.logs.filter(({ msg }) => /has no owner/.test(msg))).toHaveLength(closed.services.length);
  });
});

describe('what administrators do', () => {
  test('ROLE-6: admins act on people below them, owners on everybody, and nobody else on anybody', async () => {
    await using world = await createWorld();
    const cast = await staff(world);
    for (const role of accountRoles) {
      const target = await world.member(`target_${role}`);
      await setRole(world, target.username, role);
      const { username } = target;
      for (const by of accountRoles) {
        const may = by === 'owner' || (by === 'admin' && !isAtLeast(role, 'admin'));
        const { api } = cast[by];
        const calls = [
          () => api.endSessions({ username }),
          () => api.resetPassword({ username }),
          () => api.approveAccount({ username, approved: true }),
          () => api.setAccountDisabled({ username, disabled: true }),
          () => api.setAccountDisabled({ username, disabled: false }),
        ];
        for (const call of calls)
          expect([by, role, await failure(call())]).toEqual([
            by,
            role,
            may ? undefined : expect.objectContaining(forbidden),
          ]);
      }
    }
  });

  test('ROLE-6: an owner reads no conversation in which it does not take part', async () => {
    await using world = await createWorld();
    const { owner, member, moderator } = await staff(world);
    const { id: chat_id } = await world.direct(member, moderator);
    const { id: message_id } = await member.api.sendMessage({ chat_id, text: 'between us' });
    for (const call of [
      owner.api.getChat({ chat_id }),
      owner.api.getChatHistory({ chat_id }),
      owner.api.getMembers({ chat_id }),
      owner.api.pinMessage({ chat_id, message_id }),
    ])
      expect(await failure(call)).toMatchObject(forbidden);
    expect((await owner.api.getChats()).items).toEqual([]);
  });

  test('ROLE-10: a disabled person loses sessions, sockets and bots at once; what it wrote stays', async () => {
    await using world = await createWorld();
    const { owner } = await staff(world);
    const ann = await world.member('ann');
    const bot = await world.bot(ann);
    const { id: chat_id } = await world.group(owner, ann);
    await ann.api.sendMessage({ chat_id, text: 'I was here' });
    const sockets = [await ann.socket(), await bot.socket()];
    await owner.api.setAccountDisabled({ username: 'ann', disabled: true });
    for (const { closed } of sockets) expect((await closed).code).toBe(4401);
    for (const actor of [ann, bot]) expect(await failure(actor.api.getMe())).toMatchObject({ status: 401 });
    expect(await failure(world.signIn(ann))).toMatchObject({ status: 403 });
    const wrong = { username: 'ann', password: 'a wrong password' };
    expect(await failure(new Actor(world, '', '').api.signIn(wrong))).toMatchObject({ status: 401 });
    const { items } = await owner.api.getChatHistory({ chat_id });
    expect(items.map(({ content }) => content)).toContain('I was here');
    await owner.api.setAccountDisabled({ username: 'ann', disabled: false });
    await bot.api.getMe();
    await world.signIn(ann);
  });

  test('ROLE-10: endSessions ends all sessions and sockets of a person, and says how many', async () => {
    await using world = await createWorld();
    const { admin } = await staff(world);
    const ann = await world.member('ann');
    const second = await world.signIn(ann);
    const socket = await second.socket();
    expect(await admin.api.endSessions({ username: 'ann' })).toEqual({ terminated: 2 });
    expect((await socket.closed).code).toBe(4401);
    for (const { api } of [ann, second]) expect(await failure(api.getMe())).toMatchObject({ status: 401 });
    await world.signIn(ann);
  });

  test('ROLE-9, PAGE-3: getAccounts lists people in pages, finds them by name, and selects by role and state', async () => {
    await using world = await createWorld();
    const { moderator, owner, admin } = await staff(world);
    await owner.api.updateProfile({ display_name: 'Olga Ownermann' });
    const ann = await world.member('ann');
    await ann.api.createBot({ slug: 'helper', display_name: 'Helper' });
    const gone = await world.member('gone');
    await gone.api.deleteAccount({ password });
    await admin.api.setAccountDisabled({ username: 'ann', disabled: true });
    const names = async (query: Parameters<typeof moderator.api.getAccounts>[0]) =>
      (await moderator.api.getAccounts(query)).items.map(({ username }) => username);
    const all = ['admin', 'ann', 'guest', 'member', 'moderator', 'owner'];
    expect(await names({})).toEqual(all);
    const pages: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await moderator.api.getAccounts({ limit: 4, ...(cursor !== undefined && { cursor }) });
      pages.push(...page.items.map(({ username }) => username));
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    expect(pages).toEqual(all);
    expect(await names({ query: 'OWNERM' })).toEqual(['owner']);
    expect(await names({ query: 'mo' })).toEqual(['moderator']);
    expect(await names({ role: 'guest' })).toEqual(['guest']);
    expect(await names({ disabled: true })).toEqual(['ann']);
    expect(await names({ disabled: false, query: 'a' })).toEqual(['admin']);
    expect(await names({ pending: true })).toEqual([]);
    const { items } = await moderator.api.getAccounts({ query: 'ann' });
    expect(items).toMatchObject([{ username: 'ann', kind: 'human', role: 'member', disabled: true }]);
  });

  test('ROLE-11: the role is in getMe, and for moderators and above in getUser; nobody else sees it', async () => {
    await using world = await createWorld();
    const cast = await staff(world);
    const { id: chat_id } = await world.group(cast.owner, cast.member, cast.guest);
    await cast.owner.api.sendMessage({ chat_id, text: 'hello' });
    for (const by of accountRoles) {
      expect(await roleOf(cast[by])).toBe(by);
      if (by === 'guest') continue;
      const shown = await cast[by].api.getUser({ username: 'guest' });
      expect([by, shown.role]).toEqual([by, isAtLeast(by, 'moderator') ? 'guest' : undefined]);
    }
    const { items } = await cast.member.api.getUsers({ usernames: ['owner'] });
    expect(items[0]).not.toHaveProperty('role');
    const history = await cast.member.api.getChatHistory({ chat_id });
    expect(JSON.stringify(history)).not.toContain('"role"');
  });
});
