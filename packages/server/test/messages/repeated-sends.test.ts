import { type Actor, checkReplay, createWorld, unknownId } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { historyOf, scene } from '../helpers/message-stage.ts';

test('MSG-3: a retry of a send returns the stored message and does nothing else', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const send = (actor: Actor, chat = chat_id, more: object = {}) =>
    actor.api.sendMessage({ chat_id: chat, text: `@${bot.username} ?`, client_msg_id: 'once', channel_id, ...more });
  const first = await send(alice);
  expect(first.dispatch).toEqual([bot.username]);
  await alice.api.saveDraft({ chat_id, text: 'the next one' });
  const sockets = [await alice.socket(), await bob.socket(), await bot.socket()];
  await checkReplay(world, [alice, bob], async () => {
    expect(await send(alice)).toEqual(first);
    expect(await Promise.all([send(alice), send(alice, chat_id, { clear_draft: true })])).toEqual([first, first]);
  });
  expect(sockets.flatMap(({ methods }) => methods)).toEqual([]);
  expect((await alice.api.getDrafts()).items).toMatchObject([{ text: 'the next one' }]);
  // The retry succeeds although the channel was deleted, but the sender must still take part.
  await alice.api.deleteChannel({ chat_id, channel_id });
  expect(await send(alice)).toEqual(first);
  await expect(send(stranger)).rejects.toMatchObject({ status: 403 });
  // The same client_msg_id of another sender or in another conversation is another message.
  const other = await world.group(alice, bob);
  const others = [await send(bob, chat_id, { channel_id: null }), await send(alice, other.id, { channel_id: null })];
  expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(3);
  await world.crash();
  expect((await send(alice)).id).toBe(first.id);
});

test('MSG-3: of two concurrent first sends one is stored, and both return it', async () => {
  await using world = await createWorld();
  const { alice, chat_id, both } = await scene(world);
  const send = () => alice.api.sendMessage({ chat_id, text: 'at once', client_msg_id: 'twice' });
  const [one, ...others] = await checkReplay(world, both, () => Promise.all([send(), send(), send()]));
  for (const other of others) expect(other).toEqual(one);
  expect(await historyOf(alice, chat_id)).toEqual([one]);
});

test('MSG-4: a retry with another payload is refused, even after the message was deleted', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const root = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const given = { chat_id, text: 'the payload', client_msg_id: 'once', attachments: [{ kind: 'news' as const }] };
  const stored = await alice.api.sendMessage(given);
  const others = {
    text: { text: 'another' },
    'a text that would be refused': { text: 'x'.repeat(32 * 1024 + 1) },
    channel: { channel_id },
    'a channel that is not there': { channel_id: unknownId },
    thread: { thread_root_id: root.id },
    quote: { reply_to_message_id: root.id },
    'a quote that is not there': { reply_to_message_id: unknownId },
    attachments: { attachments: [{ kind: 'ticker' as const }] },
    'no attachments': { attachments: [] },
    service: { service: { kind: 'a notice' } },
  };
  const refuses = async () => {
    for (const [what, other] of Object.entries(others))
      await expect(alice.api.sendMessage({ ...given, ...other }), what).rejects.toMatchObject({
        status: 409,
        code: 'conflict',
      });
  };
  await refuses();
  await alice.api.deleteMessages({ message_ids: [stored.id] });
  await refuses();
  expect(await alice.api.sendMessage(given)).toMatchObject({
    id: stored.id,
    content: '',
    deleted_at: expect.any(String),
  });
});
