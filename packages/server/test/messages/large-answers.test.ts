import { limits } from '@parley/protocol';
import { type Actor, createWorld, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { ALICE, HOST, JSON_TYPE, RawConnection, size } from '../helpers/raw-http.ts';

const KiB = 1024;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Large messages of a bot in a group of alice's, and small ones of alice. */
async function scene(world: World) {
  const { alice } = await world.people('alice');
  const chat = await world.group(alice);
  const bot = await botIn(world, alice, chat);
  const send = async (actor: Actor, text: string) => (await actor.api.sendMessage({ chat_id: chat.id, text })).id;
  const large = async (count: number, text = 'x'.repeat(250 * KiB)): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) ids.push(await send(bot, text));
    return ids;
  };
  return { alice, chat_id: chat.id, send, large };
}

test('HIST-10: an answer of getMessages ends at 1 MiB and says that there is more, which is asked for again', async () => {
  await using world = await createWorld();
  const { alice, send, large } = await scene(world);
  const ids = [unknownId, await send(alice, 'first'), ...(await large(6)), await send(alice, 'last'), unknownId];
  const seen: string[][] = [];
  for (let rest = ids, more = true; more;) {
    const answer = await alice.api.getMessages({ message_ids: rest });
    const shown = answer.items.map(({ id }) => id);
    expect(bytesOf(answer.items)).toBeLessThan(limits.pageBytes);
    seen.push(shown);
    more = answer.more === true;
    rest = rest.slice(rest.indexOf(shown.at(-1) ?? '') + 1);
  }
  expect(seen).toEqual([ids.slice(1, 6), ids.slice(6, 9)]);
  // What cannot be seen is no more, and what fits ends without a word.
  expect(await alice.api.getMessages({ message_ids: [ids[1] ?? '', unknownId] })).toEqual({
    items: [expect.objectContaining({ content: 'first' })],
  });
});

test('HIST-10, SOCKET-5: a socket that asks for more than 8 MiB of messages is answered, and stays', async () => {
  await using world = await createWorld();
  const { alice, large } = await scene(world);
  const ids = await large(40);
  const socket = await alice.socket();
  const answer = await socket.rpc('getMessages', { message_ids: ids });
  expect(answer).toMatchObject({ items: [{ id: ids[0] }, { id: ids[1] }, { id: ids[2] }, { id: ids[3] }], more: true });
  expect(socket.isOpen).toBe(true);
});

test('HIST-6: the size of a page counts bytes, not characters', async () => {
  await using world = await createWorld();
  const { alice, chat_id, large } = await scene(world);
  // Three bytes each: 240 KiB a message.
  await large(6, '語'.repeat(80 * KiB));
  const { items } = await alice.api.getChatHistory({ chat_id });
  expect(items).toHaveLength(4);
  expect(bytesOf(items)).toBeLessThan(limits.pageBytes);
});

test('DRAFT-6: the drafts of an account have at most 2 MiB in all', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const text = 'ñ'.repeat(16 * KiB);
  const groups = await Promise.all(
    Array.from({ length: 66 }, (_, at) => alice.api.startChat({ usernames: ['bob'], title: `${at}` })),
  );
  const [first = '', second = '', last = '', ...others] = groups.map(({ id }) => id);
  const save = (chat_id: string, draft: string) => alice.api.saveDraft({ chat_id, text: draft });
  for (const chat_id of [first, ...others]) await save(chat_id, text);
  const tooLarge = { status: 413, code: 'too_large', parameters: { field: 'text' } };
  await expect(save(second, 'x')).rejects.toMatchObject(tooLarge);
  await expect(bob.api.saveDraft({ chat_id: second, text: 'x' })).resolves.toEqual({ ok: true });
  // One that is changed counts as it will be, and one that gets shorter makes room.
  await save(first, 'ñ'.repeat(16 * KiB - 1));
  await save(second, 'xx');
  await expect(save(last, 'x')).rejects.toMatchObject(tooLarge);
  await expect(save(second, 'xxx')).rejects.toMatchObject(tooLarge);
  await save(others[0] ?? '', '');
  await save(last, text);
  const { items } = await alice.api.getDrafts();
  expect(items.reduce((sum, draft) => sum + Buffer.byteLength(draft.text), 0)).toBe(2 * KiB * KiB);
});

test('LIMIT-27: an account that does not read its answers is refused further ones, and nobody else is', async () => {
  await using world = await createWorld({ settings: { answerBytes: 60 * KiB * KiB, ownAnswerBytes: 20 * KiB * KiB } });
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const since = (await alice.api.getChats()).head;
  for (let sent = 0; sent < 30; sent += 1) await bot.api.sendMessage({ chat_id: chat.id, text: 'x'.repeat(255 * KiB) });
  const body = JSON.stringify({ since });
  const ask = (head: string) => {
    const connection = new RawConnection(world.nodeUrl);
    connection.write(`POST /api/getUpdates HTTP/1.1\r\n${head}${JSON_TYPE}${size(body)}\r\n${body}`);
    return connection;
  };
  const unread = Array.from({ length: 30 }, () => {
    const connection = ask(ALICE);
    connection.pause();
    return connection;
  });
  for (;;) {
    const another = ask(ALICE);
    const reply = await another.reply();
    another.end();
    if (reply?.status === 200) continue;
    expect(reply).toMatchObject({ status: 503 });
    break;
  }
  const bystander = ask(`${HOST}authorization: Bearer dev:bob\r\n`);
  expect(await bystander.reply()).toMatchObject({ status: 200 });
  bystander.end();
  // What is given up leaves its room.
  for (const connection of unread) connection.end();
  for (;;) {
    const another = ask(ALICE);
    const reply = await another.reply();
    another.end();
    if (reply?.status === 200) break;
  }
}, 60_000);
