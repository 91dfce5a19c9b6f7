import { ApiError } from '@parley/client';
import { type Operation, type OperationName, operationNames, operations } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directScenes, everyOperation, type Scene } from '../helpers/every-operation.ts';

let world: World;
let nextScene: () => Promise<Scene>;
let agents = 0;
beforeAll(async () => {
  world = await createWorld();
  nextScene = await directScenes(world);
});
afterAll(() => world.close());

type Call = (params: Record<string, unknown>) => Promise<unknown>;
// The caller passes params of this operation.
const callOf = (actor: Actor, name: OperationName) => (actor.api as unknown as Record<OperationName, Call>)[name];

/** The fields of an operation that name an account. */
const namingFields = (name: OperationName): string[] => {
  const { input }: Operation = operations[name];
  const fields = 'shape' in input ? Object.keys(input.shape as object) : []; // the fields of an object schema
  return fields.filter((field) => /(^|_)(usernames?|sender)$/.test(field));
};
/** These name an account that does not exist yet, or one of a backend or of the caller, or have tests of their own. */
const others = new Set<OperationName>(['signUp', 'signIn', 'createUserToken', 'getUsers', 'searchMessages']);
const naming = operationNames.filter((name) => !others.has(name) && namingFields(name).length > 0);

/** Whether an operation says of each agent that exists whether the caller may do this with it. */
const isRefused = (name: OperationName, field: string): boolean =>
  name === 'getMyBotConfig' || name === 'setMyBotConfig' || (name === 'startChat' && field === 'username');

async function answerOf(call: Promise<unknown>, names: readonly string[]): Promise<unknown> {
  const hide = (text: string) => names.reduce((hidden, name) => hidden.replaceAll(name, 'NAME'), text);
  try {
    return JSON.parse(hide(JSON.stringify((await call) ?? null)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: hide(error.message), parameters: error.parameters };
  }
}

test('the operations that name accounts are found by their fields', () => {
  expect(naming.length).toBeGreaterThan(20);
  expect(naming).toEqual(
    expect.arrayContaining(['getUser', 'startChat', 'getMyBotConfig', 'addGroupAgent', 'blockUser']),
  );
});

test.each(naming)(
  'ACCT-12, BOTCONF-1: %s answers for a private agent that the caller cannot see as for a name of nobody, or 403',
  async (name) => {
    const scene = await nextScene();
    const { allowed } = everyOperation[name];
    const caller = scene.actors[allowed.find((role) => role !== 'stranger' && role !== 'otherBot') ?? 'owner'];
    const { stranger } = scene.actors;
    const slug = `divorce_${(agents += 1)}`;
    await stranger.api.createAgent({ slug, provider: 'provider_a', display_name: 'My divorce', visibility: 'private' });
    const agent = `${stranger.username}:${slug}`;
    const nobody = `${stranger.username}:nothing_${agents}`;
    for (const field of namingFields(name)) {
      const given = (username: string) => ({
        ...everyOperation[name].params(scene),
        [field]: field === 'usernames' ? [username] : username,
      });
      // startChat takes one account or several.
      const only = (username: string) => {
        const params = given(username);
        if (name === 'startChat' && field === 'usernames') return { usernames: [username], title: 'a group' };
        return params;
      };
      const expected = await answerOf(callOf(caller, name)(only(nobody)), [nobody]);
      const answer = await answerOf(callOf(caller, name)(only(agent)), [agent]);
      if (!isRefused(name, field)) expect([field, answer]).toEqual([field, expected]);
      else expect([field, answer, expected]).toMatchObject([field, { code: 'forbidden' }, { code: 'not_found' }]);
    }
  },
);

test('ACCT-12: private agents are found by their owner and by those who share a conversation with them', async () => {
  const { owen, friend, nora } = await world.people('owen', 'friend', 'nora');
  const username = 'owen:diary';
  const named = { slug: 'diary', provider: 'provider_a', display_name: 'Quiet diary' } as const;
  await owen.api.createAgent({ ...named, visibility: 'private' });
  const found = async ({ api }: Actor) => {
    const pages = [{ usernames: [username] }, { query: 'owen:di' }, { query: 'quiet d' }, { query: username }];
    const items = await Promise.all(pages.map(async (page) => (await api.getUsers(page)).items.length));
    const known = await api.getUser({ username }).then(
      () => 1,
      () => 0,
    );
    return [...items, known];
  };
  expect(await found(owen)).toEqual([1, 1, 1, 1, 1]);
  expect(await found(nora)).toEqual([0, 0, 0, 0, 0]);
  const { id: chat_id } = await world.group(owen, friend);
  expect(await found(friend)).toEqual([0, 0, 0, 0, 0]);
  await owen.api.addGroupAgent({ chat_id, agent_username: username });
  expect(await found(friend)).toEqual([1, 1, 1, 1, 1]);
  expect(await found(nora)).toEqual([0, 0, 0, 0, 0]);
  // Whom it has, it may be told of: still nobody may begin a chat with it.
  expect(await failure(friend.api.startChat({ username }))).toMatchObject({ code: 'forbidden' });
  await owen.api.updateAgent({ username, visibility: 'public' });
  expect(await found(nora)).toEqual([1, 1, 1, 1, 1]);
});

test('ACCT-12: agents that are not private are found by everyone, as people are', async () => {
  const { petra, quirin } = await world.people('petra', 'quirin');
  await petra.api.createAgent({ slug: 'helper', provider: 'provider_a', display_name: 'Helper' });
  const names = async ({ api }: Actor, query: string) =>
    (await api.getUsers({ query })).items.map(({ username }) => username);
  const all = ['petra', 'petra:helper', 'petra:provider_a', 'petra:provider_b'];
  expect(await names(petra, 'petra')).toEqual(all);
  expect(await names(quirin, 'petra')).toEqual(all);
  await petra.api.updateAgent({ username: 'petra:helper', visibility: 'private' });
  expect(await names(petra, 'petra')).toEqual(all);
  expect(await names(quirin, 'petra')).toEqual(all.filter((name) => name !== 'petra:helper'));
  await petra.api.updateAgent({ username: 'petra:helper', visibility: 'groups' });
  expect(await quirin.api.getUser({ username: 'petra:helper' })).toMatchObject({ display_name: 'Helper' });
  expect((await quirin.api.getUsers({ usernames: ['petra:helper'] })).items).toHaveLength(1);
});

test('ACCT-13: usable agents are one’s own, public ones, and those of shared conversations that are not private', async () => {
  const { rosa, sven, tove } = await world.people('rosa', 'sven', 'tove');
  const provider = 'provider_a';
  for (const visibility of ['private', 'groups', 'public'] as const)
    await rosa.api.createAgent({ slug: visibility, provider, display_name: `Zz ${visibility}`, visibility });
  const usable = async ({ api }: Actor, query = '') => {
    const names: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await api.getUsers({ usable_agents: true, query, limit: 2, cursor });
      names.push(...page.items.map(({ username }) => username));
      cursor = page.next_cursor;
    }
    return names;
  };
  const own = ['groups', 'private', 'provider_a', 'provider_b', 'public'].map((slug) => `rosa:${slug}`);
  expect(await usable(rosa, 'rosa:')).toEqual(own);
  expect(await usable(sven, 'rosa:')).toEqual(['rosa:public']);
  expect(await usable(sven, 'zz p')).toEqual(['rosa:public']);
  const { id: chat_id } = await world.group(rosa, sven);
  for (const slug of ['private', 'groups'])
    await rosa.api.addGroupAgent({ chat_id, agent_username: `rosa:${slug}`, always_on: false });
  await rosa.api.createWebhook({ chat_id, display_name: 'Feed' });
  expect(await usable(sven, 'rosa')).toEqual(['rosa:groups', 'rosa:public']);
  expect(await usable(tove, 'rosa')).toEqual(['rosa:public']);
  // Exactly those with which startChat begins a chat, and no people.
  const all = await usable(sven);
  for (const username of all) await sven.api.startChat({ username });
  expect(all).toContain('sven:provider_a');
  expect(all.filter((name) => ['rosa', 'sven', 'tove', 'rosa:private'].includes(name))).toEqual([]);
  await rosa.api.deleteAgent({ username: 'rosa:public' });
  expect(await usable(tove, 'rosa')).toEqual([]);
  await expect(sven.api.getUsers({ usernames: ['rosa'], usable_agents: true })).rejects.toMatchObject({ status: 400 });
});

test('ACCT-12, SEARCH-6: messages of an agent that became private and left are still found by its name', async () => {
  const { tara, ulf } = await world.people('tara', 'ulf');
  const bot = await world.bot(tara);
  const { id: chat_id } = await world.group(tara, ulf);
  await tara.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await bot.api.sendMessage({ chat_id, text: 'the harvest is in' });
  await tara.api.updateAgent({ username: bot.username, visibility: 'private' });
  await tara.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  expect(await failure(ulf.api.getUser({ username: bot.username }))).toMatchObject({ code: 'not_found' });
  const found = async ({ api }: Actor) =>
    (await api.searchMessages({ query: 'harvest', sender: bot.username })).items.map(({ message }) => message.content);
  expect(await found(ulf)).toEqual(['the harvest is in']);
  expect(await found(await world.person('vera'))).toEqual([]);
});

test('ACCT-12, BLOCK-1: a block of an agent that became private meanwhile can be taken back', async () => {
  const { rosa, simon } = await world.people('rosa', 'simon');
  const username = 'rosa:pal';
  await rosa.api.createAgent({ slug: 'pal', provider: 'provider_a', display_name: 'Pal' });
  await simon.api.blockUser({ username });
  await rosa.api.updateAgent({ username, visibility: 'private' });
  await simon.api.unblockUser({ username });
  expect((await simon.api.getBlockedUsers({})).items).toEqual([]);
  expect(await failure(simon.api.unblockUser({ username }))).toMatchObject({ code: 'not_found' });
});
