import { limits } from '@parley/protocol';
import { type Actor, createWorld, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { ALICE, HOST, JSON_TYPE, RawConnection, size } from '../helpers/raw-http.ts';

const KiB = 1024;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A group of alice with large messages of a bot, and small ones of alice. */
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

test('HIST-10: an answer of getMessages is limited to 1 MiB and says that more messages remain, which the client requests again', async () => {
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
  // Invisible messages do not count as remaining; a complete answer has no field `more`.
  expect(await alice.api.getMessages({ message_ids: [ids[1] ?? '', unknownId] })).toEqual({
    items: [expect.objectContaining({ content: 'first' })],
  });
});

test('HIST-10, SOCKET-5: a socket that requests more than 8 MiB of messages gets them and stays open', async () => {
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
  // Three bytes per character: 240 KiB per message.
  await large(6, '語'.repeat(80 * KiB));
  const { items } = await alice.api.getChatHistory({ chat_id });
  expect(items).toHaveLength(4);
  expect(bytesOf(items)).toBeLessThan(limits.pageBytes);
});

test('DRAFT-6: the drafts of an account are limited to 2 MiB in total', async () => {
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
  // A changed draft counts with its new size, and shortening one frees space.
  await save(first, 'ñ'.repeat(16 * KiB - 1));
  await save(second, 'xx');
  await expect(save(last, 'x')).rejects.toMatchObject(tooLarge);
  await expect(save(second, 'xxx')).rejects.toMatchObject(tooLarge);
  await save(others[0] ?? '', '');
  await save(last, text);
  const { items } = await alice.api.getDrafts();
  expect(items.reduce((sum, draft) => sum + Buffer.byteLength(draft.text), 0)).toBe(2 * KiB * KiB);
});

test('LIMIT-27: further requests of an account that does not read its answers are refused; those of others are not', async () => {
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
  // Closed connections free their share.
  for (const connection of unread) connection.end();
  for (;;) {
    const another = ask(ALICE);
    const reply = await another.reply();
    another.end();
    if (reply?.status === 200) break;
  }
}, 60_000);
