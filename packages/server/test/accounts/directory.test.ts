import { type Actor, createWorld, type World } from '@parley/testing';
import { HeldReads } from '@parley/testing/stores/slow-reads.ts';
import { encodeCursor } from '@parley/server/core/cursor.ts';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';

const password = 'correct horse battery staple';

let world: World;
beforeAll(async () => {
  world = await createWorld({ env: { DIRECTORY: 'shared' } });
});
afterAll(() => world.close());

const found = async ({ api }: Actor, query?: string): Promise<string[]> =>
  (await api.getUsers(query === undefined ? {} : { query })).items.map(({ username }) => username);

describe('with DIRECTORY=shared', () => {
  test('ACCT-8: searching every first letter reveals no stranger to a new account', async () => {
    await world.people('amy', 'beth', 'cleo', 'dora');
    const spy = await world.person('spy');
    const queries = [undefined, '', ...Array.from('abcdefghijklmnopqrstuvwxyz0123456789_')];
    const names = new Set((await Promise.all(queries.map((query) => found(spy, query)))).flat());
    expect([...names].toSorted()).toEqual(['spy', 'spy:provider_a', 'spy:provider_b']);
  });

  test('ACCT-8: a query finds accounts that share a conversation, and strangers only by their whole username', async () => {
    const { vera, vincent, vito, vivian } = await world.people('vera', 'viktor', 'vincent', 'vito', 'vivian');
    await vera.api.startChat({ username: 'viktor' });
    const group = await vivian.api.startChat({ usernames: ['vera', 'vito'], title: 'Walks' });
    await vincent.api.updateProfile({ display_name: 'Veronica' });
    await vito.api.updateProfile({ display_name: 'Very Vito' });
    expect(await found(vera, 'vi')).toEqual(['viktor', 'vito', 'vivian']);
    expect(await found(vera, 'ver')).toEqual(['vera', 'vera:provider_a', 'vera:provider_b', 'vito']);
    for (const query of ['vincen', 'vincent2', 'Veronica']) expect(await found(vera, query)).toEqual([]);
    for (const query of ['vincent', 'VINCENT']) expect(await found(vera, query)).toEqual(['vincent']);
    const named = await vera.api.getUsers({ usernames: ['vincent', 'vin'] });
    expect(named.items.map(({ username }) => username)).toEqual(['vincent']);

    await vito.api.leaveChat({ chat_id: group.id });
    expect(await found(vera, 'vi')).toEqual(['viktor', 'vivian']);
    expect(await found(vito, 'viv')).toEqual([]);
  });

  test('ACCT-8, PAGE-3: pages contain each account once, however many conversations it shares with the caller', async () => {
    const owner = await world.person('paula');
    const names = Array.from({ length: 12 }, (_, at) => `pal_${String(at).padStart(2, '0')}`);
    const pals = await Promise.all(names.map((name) => world.person(name)));
    for (const at of [0, 4, 8]) await owner.api.startChat({ usernames: names.slice(at, at + 6), title: `Group ${at}` });
    for (const pal of pals.slice(0, 3)) await pal.api.updateProfile({ display_name: 'Zed' });
    for (const query of ['pal_', 'zed', 'pa']) {
      const all = await found(owner, query);
      const paged: string[] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page = await owner.api.getUsers({ query, limit: 2, cursor });
        expect(page.items.length).toBeGreaterThan(0);
        paged.push(...page.items.map(({ username }) => username));
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(all);
    }
    expect(await found(owner, 'pal_')).toEqual(names);
    expect(await found(owner, 'zed')).toEqual(names.slice(0, 3));
  });

  test('ACCT-13: strangers’ public agents are not among those that one may use', async () => {
    const { wilma, xaver } = await world.people('wilma', 'xaver');
    await wilma.api.createAgent({ slug: 'open', provider: 'provider_a', display_name: 'Open', visibility: 'public' });
    const usable = async () =>
      (await xaver.api.getUsers({ usable_agents: true })).items.map(({ username }) => username);
    expect(await usable()).toEqual(['xaver:provider_a', 'xaver:provider_b']);
    const chat = await world.group(wilma, xaver);
    await wilma.api.addGroupAgent({ chat_id: chat.id, agent_username: 'wilma:open' });
    expect(await usable()).toEqual(['wilma:open', 'xaver:provider_a', 'xaver:provider_b']);
  });

  test('ACCT-8: a deleted account is not found, and a made-up cursor is refused or reveals no stranger', async () => {
    const { quin } = await world.people('quin', 'quentin');
    const leaver = await world.member('quitter');
    await quin.api.startChat({ username: 'quitter' });
    expect(await found(quin, 'qui')).toEqual(['quin', 'quin:provider_a', 'quin:provider_b', 'quitter']);
    await leaver.api.deleteAccount({ password });
    expect(await found(quin, 'quit')).toEqual([]);
    for (const cursor of [encodeCursor('users', 'username', 1), encodeCursor('acquaintances', 'key', 'quentin')])
      await expect(quin.api.getUsers({ query: 'q', cursor })).rejects.toMatchObject({ status: 400 });
    const page = await quin.api.getUsers({ query: 'q', cursor: encodeCursor('acquaintances', 'username', 'a') });
    expect(page.items.map(({ username }) => username)).not.toContain('quentin');
  });
});

test.each([
  ['of all accounts', 'open', 'a.username >='],
  ['of DIRECTORY=shared', 'shared', 'ORDER BY p.chat_key, o.account_key'],
])(
  'ACCT-11: a search %s waits for an earlier one of the same owner, not for those of others',
  async (_what, DIRECTORY, read) => {
    const held = new HeldReads();
    await using own = await createWorld({ env: { DIRECTORY }, wrapRead: held.wrap });
    own.stayOnFirst();
    const { ann, ben } = await own.people('ann', 'ben');
    const reading = held.hold(read);
    const first = found(ann, 'ann');
    await reading.asked;
    let hasEnded = false;
    const second = found(ann, 'ann:').finally(() => (hasEnded = true));
    expect(await found(ben, 'ben')).toContain('ben');
    await own.settle();
    expect(hasEnded).toBe(false);
    reading.release();
    expect(await first).toContain('ann');
    expect(await second).toEqual(['ann:provider_a', 'ann:provider_b']);
  },
);
