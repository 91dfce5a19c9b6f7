import { checkReplay, createWorld } from '@parley/testing';
import { expect, test } from 'vitest';

test('GROUP-15: owner and admins set a group’s description; all see it, sockets with `ext` immediately', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id, description } = await world.group(ann, bob, cleo);
  expect(description).toBe(null);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const seen = async () => (await cleo.api.getChat({ chat_id })).description;
  const set = (text: string, who = ann) => who.api.setChatDescription({ chat_id, description: text });
  const [ext, plain] = [await cleo.socket('ext'), await cleo.socket()];
  await checkReplay(world, [ann, cleo], async () => {
    await set('  what it is\nabout ');
    expect(await seen()).toBe('  what it is\nabout ');
    await set('x'.repeat(1_024), bob);
    expect(await seen()).toHaveLength(1_024);
    // Setting the same description again sends no event.
    await set('x'.repeat(1_024));
  });
  await checkReplay(world, [ann, cleo], () => set(''));
  await set('');
  expect(await seen()).toBe(null);
  await world.settle();
  const params = (text: string | null) => ({ conversation_id: chat_id, description: text });
  expect(ext.all('conversationUpdated')).toEqual(
    ['  what it is\nabout ', 'x'.repeat(1_024), null].map((text) => params(text)),
  );
  expect(plain.all('conversationUpdated')).toEqual([]);

  const wrong = { status: 400, parameters: { field: 'description' } };
  for (const text of ['x'.repeat(1_025), 'é'.repeat(513), '\ud800'])
    await expect(set(text)).rejects.toMatchObject(wrong);
  const { id: direct } = await world.direct(ann, bob);
  expect((await ann.api.getChat({ chat_id: direct })).description).toBe(null);
  for (const [who, chat] of [
    [cleo, chat_id],
    [dora, chat_id],
    [ann, direct],
  ] as const)
    await expect(who.api.setChatDescription({ chat_id: chat, description: 'x' })).rejects.toMatchObject({
      status: 403,
    });
});

test('GROUP-15, EXT-7: a description survives a crash, and a replay shows the current one', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const late = await bob.follower('ext').load();
  await ann.api.setChatDescription({ chat_id, description: 'first' });
  await ann.api.setChatDescription({ chat_id, description: 'second' });
  await world.crash();
  await late.connect();
  await world.settle();
  await late.compare();
  expect(late.state.chats.get(chat_id)?.about.description).toBe('second');
  await late.drop();
});
