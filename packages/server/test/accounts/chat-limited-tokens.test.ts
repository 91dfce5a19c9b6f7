import { ApiError } from '@parley/client';
import { type OperationName, operationNames, operations, tokenScopes } from '@parley/protocol';
import { Actor, createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directScenes, everyOperation, type Scene } from '../helpers/every-operation.ts';

let world: World;
let nextScene: () => Promise<Scene>;
/** The token is for the conversation of this scene only. */
let inside: Scene;
let limited: Actor;

const limitedTo = async (person: Actor, ...chat_ids: string[]): Promise<Actor> => {
  const { token } = await person.api.createAccessToken({ name: 'x', scopes: [...tokenScopes], chat_ids });
  return new Actor(world, person.username, token);
};

beforeAll(async () => {
  world = await createWorld();
  nextScene = await directScenes(world);
  inside = await nextScene();
  limited = await limitedTo(inside.actors.member, inside.chatId);
});
afterAll(() => world.close());

/** Every id of the scene's conversation and of what is in it. */
const idsOf = ({ chatId, messageId, componentId, pollId, channelId, streamId, inviteId, decisionId }: Scene) => [
  chatId,
  messageId,
  componentId,
  pollId,
  channelId,
  streamId,
  inviteId,
  decisionId,
];

async function outcomeOf(actor: Actor, name: OperationName, params: Record<string, unknown>): Promise<string> {
  try {
    // The caller passes params of this operation.
    const api = actor.api as unknown as Record<OperationName, (given: object) => Promise<unknown>>;
    return JSON.stringify((await api[name](params)) ?? {});
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const scoped = operationNames.filter((name) => operations[name].policy.scope !== null && !operations[name].policy.open);

test.each(scoped)(
  'ACCESS-8: for a token of another conversation %s finds nothing there, and changes nothing',
  async (name) => {
    const outside = await nextScene();
    const { member } = outside.actors;
    const history = async () =>
      (await member.api.getChatHistory({ chat_id: outside.chatId })).items.map(
        ({ sender: _sender, ...message }) => message,
      );
    const before = await history();
    const params = everyOperation[name].params(outside);
    const given = JSON.stringify(params);
    const outcome = await outcomeOf(limited, name, params);
    const ids = idsOf(outside);
    expect(ids.filter((id) => outcome.includes(id))).toEqual([]);
    if (ids.some((id) => given.includes(id))) {
      // What names several messages passes over those that do not exist.
      const isRefused = ['not_found', 'forbidden', 'invalid_argument', 'conflict'].includes(outcome);
      expect(
        isRefused ||
          everyOperation[name].shows?.(JSON.parse(outcome)) === false ||
          'message_ids' in params ||
          'chat_ids' in params,
      ).toBe(true);
    }
    expect(await history()).toEqual(before);
  },
);

test('ACCESS-8: in its conversations the token does what its person may', async () => {
  const { chatId: chat_id, messageId } = inside;
  expect((await limited.api.getChats()).items.map(({ id }) => id)).toEqual([chat_id]);
  expect(await limited.api.getChat({ chat_id })).toMatchObject({ id: chat_id });
  expect((await limited.api.getMessages({ message_ids: [messageId] })).items).toHaveLength(1);
  const { id } = await limited.api.sendMessage({ chat_id, text: 'findable words' });
  const found = await limited.api.searchMessages({ query: 'findable' });
  expect(found.items.map(({ message }) => message.id)).toEqual([id]);
  expect(await failure(limited.api.startChat({ username: inside.actors.owner.username }))).toMatchObject({
    status: 403,
  });
});

test('ACCESS-8: lists and counts leave other conversations out, however many there are', async () => {
  const [ann, bob] = [await world.member(), await world.member()];
  const { id: chat_id } = await world.group(bob, ann);
  await bob.api.sendMessage({ chat_id, text: `@${ann.username} shared words` });
  for (let more = 0; more < 5; more += 1) {
    const other = await world.group(bob, ann);
    await bob.api.sendMessage({ chat_id: other.id, text: `@${ann.username} shared words` });
    await ann.api.saveDraft({ chat_id: other.id, text: 'unsent' });
  }
  const { api } = await limitedTo(ann, chat_id);
  expect((await api.getChats({ limit: 1 })).items.map(({ id }) => id)).toEqual([chat_id]);
  expect((await api.searchMessages({ query: 'shared', limit: 1 })).items).toHaveLength(1);
  expect(await api.getInbox({})).toMatchObject({ items: [{ conversation_id: chat_id }], unread_count: 1 });
  expect((await api.getDrafts({})).items).toEqual([]);
  expect(await failure(api.setInboxDone({ through_position: 1 }))).toMatchObject({ status: 403 });
});

test('ACCESS-9: sockets and getUpdates get the events of these conversations; without read they get none', async () => {
  const [ann, bob] = [await world.member(), await world.member()];
  const [{ id: here }, { id: there }] = [await world.group(bob, ann), await world.group(bob, ann)];
  const { api, socket } = await (async () => {
    const actor = await limitedTo(ann, here);
    return { api: actor.api, socket: await actor.socket('ext') };
  })();
  const { token } = await ann.api.createAccessToken({ name: 'x', scopes: ['send'] });
  const deaf = await new Actor(world, ann.username, token).socket('ext');
  const own = await ann.socket('ext');
  const since = (await ann.api.getUpdates({ since: 0 })).head;
  await bob.api.sendMessage({ chat_id: there, text: 'there' });
  await ann.api.saveDraft({ chat_id: there, text: 'unsent' });
  await bob.api.sendMessage({ chat_id: here, text: 'here' });
  await own.waitFor((frame) => JSON.stringify(frame).includes('"here"'));
  await socket.waitFor((frame) => JSON.stringify(frame).includes('"here"'));
  expect(JSON.stringify(socket.frames)).not.toContain(there);
  await deaf.rpc('sendChatAction', { chat_id: here, action: 'typing' });
  expect(deaf.frames.filter(({ seq }) => seq !== undefined)).toEqual([]);
  const { frames } = await api.getUpdates({ since });
  expect(JSON.stringify(frames)).toContain('"here"');
  expect(JSON.stringify(frames)).not.toContain(there);
});

test('ACCESS-8: a file of another conversation cannot be sent, an upload of the token can', async () => {
  const [ann, bob] = [await world.member(), await world.member()];
  const { id: here } = await world.group(ann, bob);
  const { id: there } = await world.group(bob, ann);
  const upload = async (by: Actor) => (await by.api.uploadFile({ file: new File(['words'], 'paper.txt') })).id;
  const [theirs, own] = [await upload(bob), await upload(ann)];
  for (const id of [theirs, own])
    await (id === own ? ann : bob).api.sendMessage({ chat_id: there, text: 'a paper', attachments: [{ id }] });
  const limited = await limitedTo(ann, here);
  for (const id of [theirs, own])
    expect(await failure(limited.api.sendMessage({ chat_id: here, text: 'it', attachments: [{ id }] }))).toMatchObject({
      status: 404,
    });
  const attachments = [{ id: await upload(limited) }];
  expect(await limited.api.sendMessage({ chat_id: here, text: 'mine', attachments })).toMatchObject({ attachments });
});

test('ACCESS-6, ACCESS-8: a token downloads files with the scope read, of its conversations only', async () => {
  const [ann, bob] = [await world.member(), await world.member()];
  const [{ id: here }, { id: there }] = [await world.group(ann, bob), await world.group(bob, ann)];
  const upload = async (chat_id: string) => {
    const { id } = await bob.api.uploadFile({ file: new File(['words'], 'paper.txt') });
    await bob.api.sendMessage({ chat_id, text: 'a paper', attachments: [{ id }] });
    return id;
  };
  const [inside, outside] = [await upload(here), await upload(there)];
  const { token: deaf } = await ann.api.createAccessToken({ name: 'x', scopes: ['send', 'manage'] });
  const { token: reader } = await ann.api.createAccessToken({ name: 'x', scopes: ['read'], chat_ids: [here] });
  const statusOf = async (token: string, id: string) =>
    (await fetch(`${world.url}/files/${id}`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await statusOf(ann.token, outside)).toBe(200);
  expect(await statusOf(deaf, inside)).toBe(403);
  expect([await statusOf(reader, inside), await statusOf(reader, outside)]).toEqual([200, 404]);
});
