import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorld, type Actor, ManualClock, unknownId, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test, vi } from 'vitest';
import { backUp } from '../../admin/backup.ts';
import { restore } from '../../admin/restore.ts';
import { systemClock } from '../../core/clock.ts';
import { HIT_END, HIT_START } from '../../rules/search-snippet.ts';
import { searchFile } from '../../search/engines/index-file.ts';
import { botIn } from '../helpers/agents.ts';
import { missing, scene } from '../helpers/message-stage.ts';

type Asked = Parameters<Actor['api']['searchMessages']>[0];

const found = async (actor: Actor, asked: Asked): Promise<string[]> =>
  (await actor.api.searchMessages(asked)).items.map(({ message }) => message.content);

/** Checks twice: by scanning rows while the index is empty, and with the index. */
async function bothWays(world: World, check: () => Promise<void>): Promise<void> {
  await check();
  await world.service.search.tend();
  await check();
}

test('SEARCH-1: a message is found by every participant, with a snippet, as soon as it is acknowledged', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  for (const text of ['the early train', 'another thing']) await alice.api.sendMessage({ chat_id, text });
  await bothWays(world, async () => {
    for (const actor of [alice, bob]) {
      const { items, next_cursor } = await actor.api.searchMessages({ query: 'EARLY tra' });
      const [message] = (await actor.api.getChatHistory({ chat_id })).items;
      const snippet = `the ${HIT_START}early${HIT_END} ${HIT_START}train${HIT_END}`;
      expect({ items, next_cursor }).toEqual({ items: [{ message, snippet }], next_cursor: undefined });
    }
    expect(await found(stranger, { query: 'early' })).toEqual([]);
  });
});

test('SEARCH-1: new members find the whole history, former ones nothing; deleted or hidden messages and deleted channels are not found', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const sent: string[] = [];
  for (const text of ['needle 0', 'needle 1', 'needle 2'])
    sent.push((await alice.api.sendMessage({ chat_id, text })).id);
  await alice.api.sendMessage({ chat_id, text: 'needle in a channel', channel_id });
  await alice.api.sendMessage({ chat_id, text: 'needle in a thread', thread_root_id: sent[0] });
  await alice.api.sendMessage({ chat_id, text: 'needle', service: { kind: 'notice' } });
  const query = 'needle';
  const all = ['needle in a thread', 'needle in a channel', 'needle 2', 'needle 1', 'needle 0'];
  await bothWays(world, async () => expect(await found(bob, { query })).toEqual(all));
  await alice.api.addMembers({ chat_id, usernames: ['stranger'] });
  expect(await found(stranger, { query })).toEqual(all);
  await alice.api.deleteMessages({ message_ids: [sent[2] ?? ''] });
  await bob.api.deleteMessagesForMe({ message_ids: [sent[1] ?? ''] });
  await alice.api.deleteChannel({ chat_id, channel_id });
  await alice.api.removeMember({ chat_id, username: 'stranger' });
  await bothWays(world, async () => {
    expect(await found(stranger, { query })).toEqual([]);
    expect(await found(bob, { query })).toEqual(['needle in a thread', 'needle 0']);
    expect(await found(alice, { query })).toEqual(['needle in a thread', 'needle 1', 'needle 0']);
  });
});

test.each(['complete', 'failed', 'cancelled'] as const)(
  'SEARCH-2: a reply is found only after it has ended: %s',
  async (status) => {
    await using world = await createWorld();
    const { alice, bob, chat, chat_id } = await scene(world);
    const bot = await botIn(world, alice, chat);
    const { id: message_id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.appendMessageStream({ message_id, text: 'a needle so far' });
    await alice.api.sendMessage({ chat_id, text: 'behind it' });
    await bothWays(world, async () => expect(await found(bob, { query: 'needle' })).toEqual([]));
    await bot.api.finishMessageStream({ message_id, status });
    await bothWays(world, async () => expect(await found(bob, { query: 'needle' })).toEqual(['a needle so far']));
  },
);

test('SEARCH-7: an edited message is found by its new text, not by the old one', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'the former words' });
  for (const text of ['then others', 'and others again']) {
    await world.service.search.tend();
    await alice.api.editMessage({ message_id, text });
    expect(await found(bob, { query: 'others' })).toEqual([text]);
    expect(await found(bob, { query: 'former' })).toEqual([]);
  }
});

/** Runs `happens` after the index was searched and before the answer is built. */
function afterTheSearch(world: World, happens: () => Promise<unknown>): void {
  const spies = world.services.map(({ search }) => {
    const find = search.find.bind(search);
    return vi.spyOn(search, 'find').mockImplementation(async (request) => {
      for (const spy of spies) spy.mockRestore();
      const result = await find(request);
      await happens();
      return result;
    });
  });
}

test('SEARCH-7: an answer contains only what its reader may see at that moment, with current texts', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const sent: string[] = [];
  for (let at = 0; at < 5; at += 1) sent.push((await alice.api.sendMessage({ chat_id, text: `needle ${at}` })).id);
  const [deleted = '', hidden = '', edited = '', changed = ''] = sent;
  const query = 'needle';
  afterTheSearch(world, async () => {
    await alice.api.deleteMessages({ message_ids: [deleted] });
    await bob.api.deleteMessagesForMe({ message_ids: [hidden] });
    await alice.api.editMessage({ message_id: edited, text: 'hay' });
    await alice.api.editMessage({ message_id: changed, text: 'a changed needle' });
  });
  const { items } = await bob.api.searchMessages({ query });
  expect(items.map(({ message }) => message.content)).toEqual(['needle 4', 'a changed needle']);
  expect(items[1]?.snippet).toBe(`a changed ${HIT_START}needle${HIT_END}`);
  afterTheSearch(world, () => alice.api.removeMember({ chat_id, username: 'bob' }));
  expect(await found(bob, { query })).toEqual([]);
  await alice.api.addMembers({ chat_id, usernames: ['bob'] });
  afterTheSearch(world, () => alice.api.removeMember({ chat_id, username: 'bob' }));
  await expect(found(bob, { query, chat_id })).rejects.toMatchObject({ status: 403 });
});

test('SEARCH-6: a search can be limited to a conversation, a sender, or a range of positions', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id } = await scene(world);
  const { id: other } = await world.direct(alice, bob);
  const sent: string[] = [];
  for (const [actor, where, text] of [
    [alice, chat_id, 'needle a'],
    [bob, chat_id, 'needle b'],
    [bob, other, 'needle c'],
    [alice, other, 'needle d'],
  ] as const) {
    sent.push((await actor.api.sendMessage({ chat_id: where, text })).id);
    await clock.advance(1_000);
  }
  const time = (at: number) => new Date(clock.now() - (4 - at) * 1_000).toISOString();
  const query = 'needle';
  const letters = async (asked: Omit<Asked, 'query'>) =>
    (await found(alice, { query, ...asked })).map((text) => text.at(-1)).join('');
  await bothWays(world, async () => {
    expect(await letters({})).toBe('dcba');
    expect(await letters({ chat_id })).toBe('ba');
    expect(await letters({ sender: 'bob' })).toBe('cb');
    expect(await letters({ sender: 'bob', chat_id: other })).toBe('c');
    expect(await letters({ before: sent[2] })).toBe('ba');
    expect(await letters({ after: sent[1]?.toUpperCase() })).toBe('dc');
    expect(await letters({ before: time(2) })).toBe('ba');
    expect(await letters({ after: time(2) })).toBe('dc');
    expect(await letters({ after: sent[0], before: sent[3] })).toBe('cb');
    expect(await letters({ after: time(1), before: time(3) })).toBe('cb');
    expect(await letters({ after: time(4) })).toBe('');
    expect(await letters({ before: time(9) })).toBe('dcba');
    expect(await letters({ after: sent[3], before: sent[0] })).toBe('');
  });
});

test('SEARCH-6: messages of a deleted person or bot are found by its username', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const gone = await world.member('gone');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.group(alice, gone);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
  for (const actor of [gone, bot]) await actor.api.sendMessage({ chat_id, text: `needle of ${actor.username}` });
  await alice.api.deleteBot({ username: bot.username });
  await gone.api.deleteAccount({ password: 'correct horse battery staple' });
  for (const { username } of [gone, bot])
    expect(await found(alice, { query: 'needle', sender: username })).toEqual([`needle of ${username}`]);
});

test('SEARCH-6: an unknown conversation or sender is 404, another’s conversation 403, and a query without words 400', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const { id: other } = await world.direct(alice, bob);
  const { id } = await alice.api.sendMessage({ chat_id, text: 'needle' });
  const refused = (actor: Actor, asked: Partial<Asked>) => ({
    toMatchObject: (error: object) =>
      expect(found(actor, { query: 'x', ...asked }), JSON.stringify(asked)).rejects.toMatchObject(error),
  });
  await refused(stranger, { chat_id }).toMatchObject({ status: 403 });
  await refused(alice, { chat_id: unknownId }).toMatchObject(missing);
  await refused(alice, { sender: 'nobody' }).toMatchObject(missing);
  for (const place of ['before', 'after']) {
    await refused(alice, { [place]: unknownId }).toMatchObject(missing);
    await refused(alice, { [place]: id, chat_id: other }).toMatchObject(missing);
    await refused(stranger, { [place]: id }).toMatchObject(missing);
    await refused(alice, { [place]: 'yesterday' }).toMatchObject({ status: 400, parameters: { field: place } });
  }
  const cursor = Buffer.from('["history",1]').toString('base64url');
  await refused(alice, { cursor }).toMatchObject({ status: 400, parameters: { field: 'cursor' } });
  const wordless = ['', ' ', '"', '*', '👍', '-:^(){}', 'x'.repeat(257), 'é'.repeat(129)];
  for (const query of wordless)
    await refused(alice, { query, chat_id: unknownId }).toMatchObject({ status: 400, parameters: { field: 'query' } });
});

test('SEARCH-3: signs in a query have no special meaning, with and without the index', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  await alice.api.sendMessage({ chat_id, text: 'a needle' });
  const signs = ['"', "'", '*', '(', ')', '^', ':', '-', '+', ';--', '{', '}', '\\', '%', '_', '\n', '?', '$'];
  await bothWays(world, async () => {
    for (const sign of signs)
      for (const query of [`needle${sign}`, `${sign}needle`, `a ${sign} needle`])
        expect(await found(alice, { query }), query).toEqual(['a needle']);
  });
});

test('SEARCH-3: the index’s own keywords have no meaning in a query', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  await alice.api.sendMessage({ chat_id, text: 'NEAR this AND that OR NOT' });
  await world.service.search.tend();
  for (const query of ['near', 'and', 'or not', 'NEAR(this that, 2)'])
    expect(await found(alice, { query }), query).toHaveLength(query.includes('2') ? 0 : 1);
  for (const query of ['place', 'c1', 's1', 'words', 'place:c1', 'rowid'])
    expect(await found(alice, { query }), query).toEqual([]);
});

test('SEARCH-6, SEARCH-12: a page has 20 hits by default and at most 50, and pages contain every hit once', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  const texts = Array.from({ length: 60 }, (_, at) => `needle ${at}`);
  for (const text of texts) await alice.api.sendMessage({ chat_id, text });
  const query = 'needle';
  expect((await found(alice, { query })).length).toBe(20);
  expect((await found(alice, { query, limit: 1_000 })).length).toBe(50);
  for (const limit of [7, 20, 60]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await alice.api.searchMessages({ query, limit, cursor });
      seen.push(...page.items.map(({ message }) => message.content));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(texts.toReversed());
  }
});

test('SEARCH-12: a page is limited to 1 MiB, but contains at least one message', async () => {
  await using world = await createWorld();
  const { alice, chat, chat_id } = await scene(world);
  const bot = await botIn(world, alice, chat);
  for (let at = 0; at < 6; at += 1) {
    const { id: message_id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.finishMessageStream({ message_id, text: `${at} needle ${'x'.repeat(250_000)}` });
  }
  await bothWays(world, async () => {
    const first = await alice.api.searchMessages({ query: '"needle"' });
    const rest = await alice.api.searchMessages({ query: '"needle"', cursor: first.next_cursor });
    expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([4, 2, undefined]);
  });
});

test(
  'SEARCH-10: after a restart, or without its index, a service finds the same as before',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, chat_id } = await scene(world);
    for (const text of ['needle 1', 'needle 2']) await alice.api.sendMessage({ chat_id, text });
    await world.service.search.tend();
    await world.restart();
    await alice.api.sendMessage({ chat_id, text: 'needle 3' });
    expect(await found(alice, { query: 'needle' })).toEqual(['needle 3', 'needle 2', 'needle 1']);
    // The copy of the data after a crash has no index.
    await world.crash();
    await bothWays(world, async () => expect(await found(alice, { query: 'needle' })).toHaveLength(3));
  },
);

embeddedTest('a backup')(
  'SEARCH-10: a backup has no index, and a restore removes the index of the previous database',
  async () => {
    await using world = await createWorld();
    const { alice, chat_id } = await scene(world);
    await alice.api.sendMessage({ chat_id, text: 'needle' });
    await world.service.search.tend();
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-restored-'));
    const backup = join(dataDir, 'backup.db');
    backUp(world.dataDir, backup);
    expect(existsSync(searchFile(world.dataDir))).toBe(true);
    writeFileSync(searchFile(dataDir), 'of another database');
    await restore({ dataDir, clock: systemClock }, backup);
    expect(existsSync(searchFile(dataDir))).toBe(false);
    rmSync(dataDir, { recursive: true });
  },
);

test('SEARCH-11: new messages and changes are indexed automatically, and indexed changes are deleted', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, chat_id } = await scene(world);
  const sent = await Promise.all(
    Array.from({ length: 300 }, async (_, at) => alice.api.sendMessage({ chat_id, text: `needle ${at}` })),
  );
  await alice.api.deleteMessages({ message_ids: sent.slice(0, 3).map(({ id }) => id) });
  const tend = vi.spyOn(world.lead.search, 'tend');
  await clock.advance(1_000);
  expect(tend).toHaveBeenCalledTimes(1);
  await tend.mock.results[0]?.value;
  await world.settle();
  const changes = await world.service.read.all<{ key: number }, []>({ sql: 'SELECT key FROM search_changes' });
  // The row of the newest change may stay, so that its number is not used again.
  expect(changes.filter(({ key }) => key < 3)).toEqual([]);
  // If the newest row does not stay either, `tend` runs once more, and then not again.
  await clock.advance(1_000);
  await world.settle();
  const calls = tend.mock.calls.length;
  expect(calls).toBeLessThanOrEqual(2);
  await clock.advance(1_000);
  await world.settle();
  expect(tend).toHaveBeenCalledTimes(calls);
  const [newest] = (await alice.api.searchMessages({ query: 'needle', limit: 1 })).items;
  await alice.api.deleteMessages({ message_ids: [newest?.message.id ?? ''] });
  await clock.advance(1_000);
  await vi.waitFor(() => expect(tend).toHaveBeenCalledTimes(calls + 1));
  await tend.mock.results.at(-1)?.value;
});

test('SEARCH-15: searches of a person and its bots run one at a time', async () => {
  await using world = await createWorld();
  world.stayOnFirst();
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const find = vi.spyOn(world.service.search, 'find');
  for (const { api } of [alice, bot, bob]) await api.searchMessages({ query: 'word' });
  const [ofAlice, ofBot, ofBob] = find.mock.calls.map(([{ ownerKey }]) => ownerKey);
  expect(ofBot).toBe(ofAlice);
  expect(ofBob).not.toBe(ofAlice);
});
