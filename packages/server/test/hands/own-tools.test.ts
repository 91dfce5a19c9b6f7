import { createWorld, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { photo, upload } from '../helpers/file-stage.ts';
import { asking, results, toolParts } from './hands-stage.ts';
import { own, ownScene } from './own-tools-stage.ts';

/** The names of the tools in a recorded request, in the form of either vendor. */
const offeredIn = ({ body }: { body: unknown }): string[] =>
  ((body as { tools?: { name?: string; function?: { name: string } }[] }).tools ?? []).map(
    ({ name, function: made }) => name ?? made?.name ?? '',
  );

interface Found {
  id: string;
  text: string;
  from: string;
  found_in_file?: string;
}
const found = (result = ''): Found[] => (JSON.parse(result) as { messages: Found[] }).messages;
const texts = (result: string | undefined): string[] => found(result).map(({ text }) => text);

test.for(['provider_a', 'provider_b'] as const)(
  'OWN-1: a turn is offered the tools that the owner has chosen, at %s, and none by default',
  async (provider) => {
    await using world = await createWorld();
    const { ann, agent, chat, ask } = await ownScene(world, { provider, tools: ['remind', 'current_time', 'remind'] });
    const bob = await world.person('bob');
    await ask();
    expect(offeredIn(world.providers.requestsOf(agent.key)[0] ?? { body: {} })).toEqual(['current_time', 'remind']);
    const shown = { built_in_tools: ['current_time', 'remind'] };
    expect(await ann.api.getAgent({ username: agent.username })).toMatchObject(shown);
    const preview = async () => (await ann.api.previewDispatch({ chat_id: chat.id, text: 'hi' })).agents[0];
    const tools = [{ server: 'Parley', names: ['current_time', 'remind'], as: 'asker', approval: 'never' }];
    expect(await preview()).toMatchObject({ tools, budget: { calls: 25 } });
    await expect(bob.api.updateAgent({ username: agent.username, built_in_tools: [] })).rejects.toMatchObject({
      status: 404,
    });
    await ann.api.updateAgent({ username: agent.username, built_in_tools: [] });
    expect(await ann.api.getAgent({ username: agent.username })).not.toHaveProperty('built_in_tools');
    expect(await preview()).not.toHaveProperty('tools');
    await ask();
    expect(world.providers.requestsOf(agent.key).at(-1)?.body).not.toHaveProperty('tools');
    const plain = await ann.api.createAgent({ slug: 'plain', display_name: 'Plain', provider });
    expect(plain).not.toHaveProperty('built_in_tools');
  },
);

test('OWN-1: a call of a tool that the owner has switched off meanwhile is not carried out', async () => {
  await using world = await createWorld();
  const { ann, agent, answers, ask } = await ownScene(world);
  answers(asking(own('ask', { question: 'Which?', options: ['One', 'Two'] })), { chunks: ['Done.'] });
  await ask();
  const [asked] = (await ann.api.getDecisions({ state: 'open' })).items;
  await ann.api.updateAgent({ username: agent.username, built_in_tools: [] });
  await ann.api.decide({ decision_id: asked?.id ?? '', option: 'option_1' });
  await world.turnsEnded();
  expect(results(world, agent)).toEqual([expect.stringMatching(/^failed: .*not available/)]);
});

test('TOOL-1, TOOL-13, OWN-1: a server may be named parley, and no tool of a server is taken for one of the service’s own', async () => {
  const tools = { remind: { run: () => 'the server reminds' }, people: { run: () => 'nobody' } };
  await using server = await startToolServer(tools);
  await using world = await createWorld({ env: { TOOL_ENDPOINTS: `public,${server.origin}` } });
  const { ann, agent, chat, ask, told } = await ownScene(world, { tools: ['list_people', 'remind'] });
  const given = { url: server.url, identity: 'none', auth: 'none', approval: 'never' } as const;
  await ann.api.setAgentTools({
    username: agent.username,
    servers: ['parley', 'list'].map((name) => ({ name, ...given })),
  });
  await ask();
  const offered = offeredIn(world.providers.requestsOf(agent.key)[0] ?? { body: {} });
  expect(offered.slice(0, 2)).toEqual(['list_people', 'remind']);
  expect(offered.slice(2).toSorted()).toEqual([
    expect.stringMatching(/^list_people_[0-9a-z]{7}_2$/),
    'list_remind',
    'parley_people',
    'parley_remind',
  ]);
  const { agents } = await ann.api.previewDispatch({ chat_id: chat.id, text: 'hi' });
  expect(agents[0]?.tools?.map((one) => one.server)).toEqual(['Parley', 'parley', 'list']);
  const [mine, theirs] = await told(own('remind', { in_minutes: 5 }), { call: 'parley_remind', input: {} });
  expect(mine).toMatch(/^The reminder is set for /);
  expect(theirs).toBe('the server reminds');
  const called = (await ann.api.getToolCalls({})).items.map((call) => [call.server, call.host, call.tool, call.status]);
  expect(called).toHaveLength(2);
  expect(called).toContainEqual(['Parley', 'Parley', 'remind', 'done']);
  expect(called).toContainEqual(['parley', server.origin, 'remind', 'done']);
});

test('OWN-2: search finds what the asker sees in this conversation, and nothing that is private, hidden or elsewhere', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, chat, told } = await ownScene(world, { others: [bob] });
  const say = (text: string, by = bob) => by.api.sendMessage({ chat_id: chat.id, text });
  const kept = await say('The melon is ripe');
  const deleted = await say('The melon is gone');
  const hidden = await say('The melon is hidden');
  await bob.api.deleteMessages({ message_ids: [deleted.id] });
  await ann.api.deleteMessagesForMe({ message_ids: [hidden.id] });
  await ann.api.askDecision({
    chat_id: chat.id,
    text: 'Melon?',
    options: [{ id: 'y', label: 'Yes' }],
    deciders: ['ann'],
    private: true,
  });
  const elsewhere = await world.group(ann, bob);
  await ann.api.sendMessage({ chat_id: elsewhere.id, text: 'The melon is elsewhere' });
  const [result] = await told(own('search_messages', { query: 'melon ripe' }));
  expect(found(result)).toMatchObject([{ id: kept.id, from: 'bob', text: 'The melon is ripe' }]);
  const [all] = await told(own('search_messages', { query: 'melon' }));
  expect(texts(all)).toContain('The melon is ripe');
  expect(texts(all)).not.toContain('The melon is gone');
  expect(texts(all)).not.toContain('The melon is hidden');
  expect(texts(all)).not.toContain('The melon is elsewhere');
  expect(JSON.stringify(texts(all))).not.toContain('Melon?');
  await ann.api.clearChat({ chat_id: chat.id });
  expect(texts((await told(own('search_messages', { query: 'melon' })))[0])).toEqual([]);
  const wrong = await told(own('search_messages', { query: '!' }), own('search_messages', {}));
  for (const one of wrong) expect(one).toMatch(/^failed: /);
});

test('OWN-2: a group in which an agent answers bob is searched with bob’s eyes', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, chat, answers, ask } = await ownScene(world, { others: [bob] });
  await ann.api.sendMessage({ chat_id: chat.id, text: 'The melon is ripe' });
  await bob.api.clearChat({ chat_id: chat.id });
  answers(asking(own('search_messages', { query: 'melon' })), { chunks: ['Done.'] });
  await ask('look', bob);
  expect(texts(results(world, agent)[0])).toEqual([]);
});

test('OWN-3: read_file reads a file of the conversation in pieces, by name or id, and no file of another one', async () => {
  await using world = await createWorld();
  const { ann, chat, told } = await ownScene(world);
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n');
  const { id } = await upload(ann, lines, 'long.txt');
  const message = await ann.api.sendMessage({ chat_id: chat.id, text: '', attachments: [{ id }] });
  await world.turnsEnded();
  const [first] = await told(own('read_file', { name: 'long.txt' }));
  expect(first).toContain('line 0\nline 1\n');
  expect(Buffer.byteLength(first ?? '')).toBeLessThanOrEqual(64 * 1024);
  const offset = Number(/next piece begins at offset (\d+)/.exec(first ?? '')?.[1]);
  const [second] = await told(own('read_file', { file_id: id, offset }));
  expect(second).toContain(lines.slice(offset, offset + 100));
  expect(first).not.toContain('This is its end.');
  const [last] = await told(own('read_file', { file_id: id, offset: lines.length - 100 }));
  expect(last).toContain(lines.slice(-100));
  expect(last).toContain('This is its end.');
  expect(last).not.toContain('next piece');
  const { id: foreign } = await upload(ann, 'secret', 'secret.txt');
  const saved = await ann.api.startChat({ username: 'ann' });
  await ann.api.sendMessage({ chat_id: saved.id, text: '', attachments: [{ id: foreign }] });
  const picture = await upload(ann, await photo('png'), 'a.png');
  await ann.api.sendMessage({ chat_id: chat.id, text: '', attachments: [{ id: picture.id }] });
  await world.turnsEnded();
  const refused = await told(
    own('read_file', { name: 'secret.txt' }),
    own('read_file', { file_id: foreign }),
    own('read_file', { file_id: picture.id }),
    own('read_file', {}),
  );
  for (const one of refused) expect(one).toMatch(/^failed: /);
  await ann.api.deleteMessages({ message_ids: [message.id] });
  expect((await told(own('read_file', { name: 'long.txt' })))[0]).toMatch(/^failed: There is no such file/);
});

test('OWN-3: list_people names who takes part, and who asked', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { agent, told } = await ownScene(world, { others: [bob] });
  const [result] = await told(own('list_people'));
  const { people } = JSON.parse(result ?? '') as { people: { username: string }[] };
  const name = expect.any(String) as string;
  expect(people.toSorted((one, two) => one.username.localeCompare(two.username))).toEqual([
    { username: 'ann', name, kind: 'person', role: 'owner', asked_you: true },
    { username: agent.username, name, kind: 'agent', role: 'member', is_you: true },
    { username: 'bob', name, kind: 'person', role: 'member' },
  ]);
});

test('OWN-4: current_time says UTC and that the zone is not known, or the time in a zone that the model names', async () => {
  await using world = await createWorld();
  const { told } = await ownScene(world);
  const [plain, berlin, nowhere] = await told(
    own('current_time'),
    own('current_time', { zone: 'Asia/Tokyo' }),
    own('current_time', { zone: 'Mars/Crater' }),
  );
  const shown = JSON.parse(plain ?? '') as Record<string, string>;
  expect(shown).toMatchObject({ zone: 'UTC', note: expect.stringContaining('not known') as string });
  expect(Math.abs(Date.parse(shown['utc'] ?? '') - Date.now())).toBeLessThan(3_600_000);
  expect(JSON.parse(berlin ?? '')).toMatchObject({
    zone: 'Asia/Tokyo',
    local: expect.stringMatching(/GMT\+9|JST/) as string,
  });
  expect(nowhere).toMatch(/^failed: There is no time zone/);
});

test('CALL-6, OWN-1: a call is a part of the reply with its title, without a server', async () => {
  await using world = await createWorld();
  const { reply, told } = await ownScene(world);
  await told(own('current_time'));
  const [part] = toolParts(await reply());
  expect(part).toMatchObject({ name: 'current_time', title: 'Look at the time', status: 'done' });
  expect(part?.duration_ms).toBeTypeOf('number');
  expect(part).not.toHaveProperty('server');
  expect(part).not.toHaveProperty('host');
});

embeddedTest('the search of this node is held')(
  'OWN-2: an asker who is removed while the search runs gets nothing of it',
  async () => {
    await using world = await createWorld();
    const bob = await world.person('bob');
    const { ann, agent, chat, answers, ask, reply } = await ownScene(world, { others: [bob] });
    await ann.api.sendMessage({ chat_id: chat.id, text: 'The melon is ripe' });
    const { search } = world.service;
    const find = search.find.bind(search);
    search.find = async (request) => {
      const found = await find(request);
      await ann.api.removeMember({ chat_id: chat.id, username: 'bob' });
      return found;
    };
    answers(asking('Let me see. ', own('search_messages', { query: 'melon' })), { chunks: ['It is ripe.'] });
    await ask('look', bob);
    expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
    expect(await reply()).toMatchObject({ status: 'cancelled', content: 'Let me see. ' });
    expect(toolParts(await reply())).toMatchObject([{ status: 'denied' }]);
  },
);

const notThere = 'failed: The person who asked does not take part in this conversation.';

/** Takes a person out of all conversations as nobody can: agents and turns stay. */
const takeOut = (world: World, username: string) =>
  world.sql('DELETE FROM participants WHERE account_key = (SELECT key FROM accounts WHERE username = $1)', username);

test('OWN-2: a turn for a person who takes no part there is told nothing', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, chat, answers } = await ownScene(world, { others: [bob] });
  const bot = await botIn(world, ann, chat);
  await takeOut(world, 'ann');
  answers(asking(own('list_people'), own('search_messages', { query: 'melon' }), own('current_time')), {
    chunks: ['Done.'],
  });
  // Of a bot's message its owner is the asker.
  await bot.api.sendMessage({ chat_id: chat.id, text: `@${agent.username} look` });
  await world.turnsEnded();
  expect(results(world, agent)).toEqual([1, 2, 3].map(() => notThere));
});

embeddedTest('the search of this node is held')(
  'OWN-2: what a tool has found is not told once the asker is no member, though the turn still runs',
  async () => {
    await using world = await createWorld();
    const bob = await world.person('bob');
    const { chat, agent, answers, ask } = await ownScene(world, { others: [bob] });
    await bob.api.sendMessage({ chat_id: chat.id, text: 'The melon is ripe' });
    const { search } = world.service;
    const find = search.find.bind(search);
    search.find = async (request) => {
      const found = await find(request);
      await takeOut(world, 'bob');
      return found;
    };
    answers(asking(own('search_messages', { query: 'melon' })), { chunks: ['Done.'] });
    await ask('look', bob);
    expect(results(world, agent)).toEqual([notThere]);
  },
);

test('OWN-2: a search for the words of somebody who is not there does not tell whether the account exists', async () => {
  await using world = await createWorld();
  await world.person('bob');
  const { told } = await ownScene(world);
  const search = (from: string) => own('search_messages', { query: 'melon', from });
  const [known, unknown] = await told(search('bob'), search('nobody_of_this_name'));
  expect(known).toContain('Nothing was found.');
  expect(unknown).toBe(known);
});
