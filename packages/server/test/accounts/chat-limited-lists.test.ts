import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { tokenScopes } from '@parley/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const limitedTo = async (person: Actor, ...chat_ids: string[]): Promise<Actor> => {
  const { token } = await person.api.createAccessToken({ name: 'x', scopes: [...tokenScopes], chat_ids });
  return new Actor(world, person.username, token);
};

/** Ann's groups, oldest first; in each Bob has written the words and mentioned her. */
async function groups(count: number) {
  const [ann, bob] = [await world.member(), await world.member()];
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id } = await world.group(bob, ann);
    await bob.api.sendMessage({ chat_id: id, text: `@${ann.username} secret words` });
    ids.push(id);
  }
  return { ann, bob, ids };
}

/** All pages of a list, by the conversations that they name. */
async function pagesOf(
  next: (cursor: string | undefined) => Promise<{ ids: string[]; next_cursor: string | undefined }>,
) {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const { ids, next_cursor } = await next(cursor);
    pages.push(ids);
    cursor = next_cursor;
    if (cursor === undefined) return pages;
  }
}

test('ACCESS-8: neither short pages nor cursors tell that there are other conversations', async () => {
  const { ann, ids } = await groups(30);
  const [one, two] = [ids[3] ?? '', ids[26] ?? ''];
  const { api } = await limitedTo(ann, one, two);
  const lists = {
    getChats: async (cursor?: string) => {
      const { items, next_cursor } = await api.getChats({ limit: 1, cursor });
      return { ids: items.map(({ id }) => id), next_cursor };
    },
    getInbox: async (cursor?: string) => {
      const { items, next_cursor } = await api.getInbox({ limit: 1, cursor });
      return { ids: items.map(({ conversation_id }) => conversation_id), next_cursor };
    },
    searchMessages: async (cursor?: string) => {
      const { items, next_cursor } = await api.searchMessages({ query: 'secret', limit: 1, cursor });
      return { ids: items.map(({ message }) => message.conversation_id), next_cursor };
    },
  };
  for (const [name, next] of Object.entries(lists)) {
    const pages = await pagesOf(next);
    // Of a search the last page may be empty, as it may be for anybody.
    expect([name, pages.filter((page) => page.length > 0)]).toEqual([name, [[two], [one]]]);
  }
  const elsewhere = await limitedTo(ann, ids[0] ?? '');
  const found = await elsewhere.api.searchMessages({ query: 'secret', limit: 2 });
  expect([found.items.length, found.next_cursor]).toEqual([1, undefined]);
  const chats = await elsewhere.api.getChats({ limit: 1 });
  expect([chats.items.map(({ id }) => id), chats.next_cursor]).toEqual([[ids[0]], undefined]);
});

test('ACCESS-8: a word that is only in other conversations is found nowhere, whatever the limit', async () => {
  const { ann, bob, ids } = await groups(3);
  for (let more = 0; more < 25; more += 1) await bob.api.sendMessage({ chat_id: ids[0] ?? '', text: 'merger' });
  const { api } = await limitedTo(ann, ids[1] ?? '');
  for (const limit of [1, 50])
    expect(await api.searchMessages({ query: 'merger', limit })).toEqual(
      await api.searchMessages({ query: 'zzyzx', limit }),
    );
});

test('ACCESS-8: searchChats finds the conversations of the token, whatever others have the same name', async () => {
  const { ann, bob, ids } = await groups(3);
  for (const chat_id of ids) await bob.api.setChatTitle({ chat_id, title: 'Twins' });
  const { api } = await limitedTo(ann, ids[0] ?? '');
  expect((await api.searchChats({ query: 'twins', limit: 1 })).items.map(({ id }) => id)).toEqual([ids[0]]);
});

test('ACCESS-8: folders name no other conversation, and neither they nor the order of pins are changed', async () => {
  const { ann, ids } = await groups(2);
  const [inside, outside] = [ids[0] ?? '', ids[1] ?? ''];
  const folder = { name: 'Work', rule: { kinds: ['groups' as const], left_out: [inside, outside] } };
  const { items: before } = await ann.api.setFolders({ folders: [folder] });
  const { api } = await limitedTo(ann, inside);
  expect((await api.getFolders()).items).toMatchObject([{ name: 'Work', rule: { left_out: [inside] } }]);
  expect(await failure(api.setFolders({ folders: [] }))).toMatchObject({ status: 403 });
  expect(await failure(api.orderPinnedChats({ chat_ids: [inside] }))).toMatchObject({ status: 403 });
  expect((await ann.api.getFolders()).items).toEqual(before);
});

test('ACCESS-8: an alert goes only to people of the conversations of the token', async () => {
  const { ann, bob, ids } = await groups(1);
  const cleo = await world.member();
  await world.group(ann, cleo);
  const { api } = await limitedTo(ann, ids[0] ?? '');
  expect(await failure(api.pushAlert({ to_username: cleo.username, text: 'x' }))).toMatchObject({ status: 403 });
  await api.pushAlert({ to_username: bob.username, text: 'x' });
});

test('ACCESS-9: an access token names no socket but its own', async () => {
  const ann = await world.member();
  const { id: chat_id } = await world.group(ann);
  const { token } = await ann.api.createAccessToken({ name: 'x', scopes: ['read'] });
  const script = new Actor(world, ann.username, token);
  const idOf = async (person: Actor) => (await person.socket('ext')).hello.socket;
  const [persons, own] = [await idOf(ann), await idOf(script)];
  for (const socket of [persons, own]) {
    const calls = [
      () => script.api.wsFocus({ focus: { chat_id }, socket }),
      () => script.api.getUpdates({ since: 0, socket }),
    ];
    for (const call of calls)
      if (socket === own) await call();
      else expect(await failure(call())).toMatchObject({ status: 404 });
  }
});

test('ACCESS-10: what the service sends later for a program has via too, also if the token has ended by then', async () => {
  const clock = new ManualClock();
  await using timed = await createWorld({ clock });
  const ann = await timed.person('ann');
  const { id: chat_id } = await timed.group(ann);
  const { id, token } = await ann.api.createAccessToken({ name: 'Deploys', scopes: ['send', 'manage'] });
  const { api } = new Actor(timed, ann.username, token);
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();
  await api.scheduleMessage({ chat_id, text: 'by the program', send_at: at(60_000) });
  const own = await ann.api.scheduleMessage({ chat_id, text: 'by Ann', send_at: at(61_000) });
  const changed = await ann.api.scheduleMessage({ chat_id, text: 'by Ann at first', send_at: at(62_000) });
  await api.editScheduledMessage({ chat_id, scheduled_id: changed.id, text: 'changed by the program' });
  await api.createSchedule({ chat_id, text: 'by its schedule', when: { at: at(63_000) } });
  expect(Object.keys(own)).not.toContain('via');
  await ann.api.revokeAccessToken({ id });
  for (const ms of [60_000, 1_000, 1_000, 1_000, 1_000]) {
    await clock.advance(ms);
    await timed.settle();
  }
  const written = async () => {
    const { items } = await ann.api.getChatHistory({ chat_id });
    return items.filter(({ service }) => !service).map(({ content, via }) => [content, via?.name]);
  };
  expect(await written()).toEqual([
    ['by the program', 'Deploys'],
    ['by Ann', undefined],
    ['changed by the program', 'Deploys'],
    ['by its schedule', 'Deploys'],
  ]);
});
