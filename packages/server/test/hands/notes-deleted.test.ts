import { createWorld, type World } from '@parley/testing';
import { get } from '../helpers/file-stage.ts';
import { expect, test } from 'vitest';
import { ownScene } from './own-tools-stage.ts';

const password = 'correct horse battery staple';
const withNotes = { tools: ['remember' as const] };

const textsIn = async (world: World): Promise<string[]> =>
  (await world.sql<{ text: string }>('SELECT text FROM notes ORDER BY key')).map(({ text }) => text);

/** Ann's agent with a private note of ann and one of bob's in a group. */
async function scene(world: World) {
  const bob = await world.member('bob');
  const { ann, agent, chat } = await ownScene(world, { ...withNotes, others: [bob] });
  const direct = await ann.api.startChat({ username: agent.username });
  const agent_username = agent.username;
  await ann.api.createNote({ chat_id: direct.id, agent_username, text: 'private canary' });
  await bob.api.createNote({ chat_id: chat.id, agent_username, text: 'canary of bob' });
  return { ann, bob, chat_id: chat.id, agent_username };
}

test('NOTE-6: the notes of a group go with the agent that leaves it, the private ones stay', async () => {
  await using world = await createWorld();
  const { ann, chat_id, agent_username } = await scene(world);
  await ann.api.removeMember({ chat_id, username: agent_username });
  expect(await textsIn(world)).toEqual(['private canary']);
});

test('NOTE-6: all notes go with their agent', async () => {
  await using world = await createWorld();
  const bob = await world.member('bob');
  const ann = await world.person('ann');
  const made = await ann.api.createAgent({
    slug: 'tutor',
    display_name: 'Tutor',
    provider: 'provider_a',
    built_in_tools: ['remember'],
  });
  const agent_username = made.username;
  const { id: chat_id } = await world.group(ann, bob);
  await ann.api.addGroupAgent({ chat_id, agent_username });
  const direct = await ann.api.startChat({ username: agent_username });
  for (const place of [chat_id, direct.id])
    await ann.api.createNote({ chat_id: place, agent_username, text: 'canary' });
  await ann.api.deleteAgent({ username: agent_username });
  expect(await textsIn(world)).toEqual([]);
});

test('NOTE-6: a person’s notes go with the account, what it wrote for a group stays until nobody is left', async () => {
  await using world = await createWorld();
  const { ann, bob, chat_id, agent_username } = await scene(world);
  const cleo = await world.member('cleo');
  await ann.api.addMembers({ chat_id, usernames: ['cleo'] });
  const bots = await bob.api.startChat({ username: 'bob:provider_a' });
  await bob.api.updateAgent({ username: 'bob:provider_a', built_in_tools: ['remember'] });
  await bob.api.createNote({ chat_id: bots.id, agent_username: 'bob:provider_a', text: 'private canary of bob' });
  expect(await textsIn(world)).toEqual(['private canary', 'canary of bob', 'private canary of bob']);
  await bob.api.deleteAccount({ password });
  expect(await textsIn(world)).toEqual(['private canary', 'canary of bob']);
  const [note] = (await cleo.api.getNotes({ chat_id, agent_username })).items;
  expect(note?.written_by.display_name).toBe('Deleted account');
  await cleo.api.leaveChat({ chat_id });
  expect(await textsIn(world)).toContain('canary of bob');
  await ann.api.leaveChat({ chat_id });
  expect(await textsIn(world)).toEqual(['private canary']);
});

test('NOTE-6, EXPORT-2: an export has a person’s own notes and those that it wrote, no others’', async () => {
  await using world = await createWorld();
  const { ann, bob, chat_id, agent_username } = await scene(world);
  const exported = async (person = bob) => {
    const { url } = await person.api.exportMyData();
    const { notes } = JSON.parse(await (await get(world, url)).text()) as { notes: { text: string }[] };
    return notes.map(({ text }) => text);
  };
  expect(await exported(ann)).toEqual(['private canary']);
  expect(await exported()).toEqual(['canary of bob']);
  const [note] = (await ann.api.getNotes({ chat_id, agent_username })).items;
  await ann.api.updateNote({ note_id: note?.id ?? '', text: 'ann wrote this' });
  expect(await exported()).toEqual(['ann wrote this']);
  await bob.api.leaveChat({ chat_id });
  expect(await exported()).toEqual([]);
});
