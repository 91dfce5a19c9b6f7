import { type Actor, createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { HIT_END, HIT_START } from '../../rules/search-snippet.ts';
import { NEAR_CHATS } from '../../search/message-search.ts';
import { scene } from '../helpers/message-stage.ts';

type Asked = Parameters<Actor['api']['searchMessages']>[0];

async function all(actor: Actor, asked: Asked): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await actor.api.searchMessages({ ...asked, cursor });
    found.push(...page.items.map(({ message }) => message.content));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

test('SEARCH-24: what matches exactly comes first, then what differs by one letter, each newest first and once', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const texts = ['the budget', 'a budgit note', 'our Büdget plan', 'budgte', 'gadget', 'a trip'];
  for (const text of texts) await alice.api.sendMessage({ chat_id, text });
  for (const isIndexed of [false, true]) {
    if (isIndexed) await world.service.search.tend();
    expect(await all(bob, { query: 'budget' })).toEqual(['our Büdget plan', 'the budget', 'budgte', 'a budgit note']);
    // A page that is full needs no more.
    expect(await all(bob, { query: 'budget', limit: 2 })).toEqual(['our Büdget plan', 'the budget']);
    for (const limit of [2, 20]) {
      expect(await all(bob, { query: 'budgte', limit })).toEqual(['budgte', 'our Büdget plan', 'the budget']);
      expect(await all(bob, { query: 'plann budgt', limit })).toEqual(['our Büdget plan']);
      // Quoted and short words are meant as they are.
      expect(await all(bob, { query: '"budgt"', limit })).toEqual([]);
      expect(await all(bob, { query: 'trep', limit })).toEqual([]);
      expect(await all(stranger, { query: 'budgte', limit })).toEqual([]);
    }
    const { items } = await bob.api.searchMessages({ query: 'budgit', chat_id, limit: 2 });
    expect(items.map(({ snippet }) => snippet)).toEqual([
      `a ${HIT_START}budgit${HIT_END} note`,
      `our ${HIT_START}Büdget${HIT_END} plan`,
    ]);
  }
});

test('SEARCH-24: filters, hidden messages and edits count as in any search', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const first = await alice.api.sendMessage({ chat_id, text: 'harbour one' });
  const second = await bob.api.sendMessage({ chat_id, text: 'harbour two' });
  await world.service.search.tend();
  expect(await all(bob, { query: 'harbuor', sender: 'alice' })).toEqual(['harbour one']);
  expect(await all(bob, { query: 'harbuor', after: first.id })).toEqual(['harbour two']);
  expect(await all(bob, { query: 'harbuor', has: 'link' })).toEqual([]);
  await bob.api.editMessage({ message_id: second.id, text: 'lighthouse' });
  await bob.api.deleteMessagesForMe({ message_ids: [first.id] });
  expect(await all(bob, { query: 'harbuor' })).toEqual([]);
  expect(await all(alice, { query: 'harbuor' })).toEqual(['harbour one']);
});

embeddedTest('begins many conversations')(
  'SEARCH-24: of many conversations a mistake is forgiven in those that began last, and in the one that is asked for',
  async () => {
    await using world = await createWorld();
    const { ann } = await world.people('ann');
    const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'oldest' });
    await ann.api.sendMessage({ chat_id, text: 'harbour' });
    for (let at = 0; at < NEAR_CHATS; at += 1) await ann.api.startChat({ usernames: [], title: `later ${at}` });
    await world.service.search.tend();
    expect(await all(ann, { query: 'harbuor' })).toEqual([]);
    expect(await all(ann, { query: 'harbuor', chat_id })).toEqual(['harbour']);
    expect(await all(ann, { query: 'harbour' })).toEqual(['harbour']);
  },
);
