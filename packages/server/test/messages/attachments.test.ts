// What attachments and service notices may contain, and which parts of them other accounts get.
import { checkReplay, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload } from '../helpers/file-stage.ts';

const limit = 16 * 1024;
const tooLarge = (field: string) => ({ status: 413, parameters: { field } });

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type News = { kind: 'news' } & Record<string, unknown>;

/** An attachment whose JSON has exactly this many bytes. */
function attachmentOf(bytes: number): News {
  const empty = { kind: 'news' as const, note: '' };
  return { ...empty, note: 'x'.repeat(bytes - JSON.stringify(empty).length) };
}

test('FILE-6: a thumbnail at a foreign address is dropped; only the service’s own thumbnails are delivered', async () => {
  const { ann, eve } = await world.people('ann', 'eve');
  const { id: chat_id } = await world.direct(ann, eve);
  const thumbnail_url = 'https://tracker.example/ann.png';
  const url = 'https://tracker.example/photo.png';
  const watching = await ann.socket();
  const { id: fileId } = await upload(eve, 'text');
  const attachments = [
    { kind: 'photo' as const, url, thumbnail_url },
    { id: fileId, thumbnail_url },
    { kind: 'photo' as const, thumbnail_url: '/files/guess/thumbnail' },
  ];
  await checkReplay(world, [ann, eve], async () => eve.api.sendMessage({ chat_id, text: 'look', attachments }));
  const [seen] = [await watching.event('messageNew')];
  expect(seen.attachments).toMatchObject([{ kind: 'photo', url }, { id: fileId }, { kind: 'photo' }]);
  expect(JSON.stringify(seen)).not.toContain('thumbnail');
  const bot = await world.bot(eve);
  const own = await bot.api.startChat({ username: 'eve' });
  const { id: message_id } = await bot.api.startMessageStream({ chat_id: own.id });
  const finished = await bot.api.finishMessageStream({
    message_id,
    text: 'done',
    attachments: attachments.slice(0, 1),
  });
  expect(JSON.stringify(finished)).not.toContain('thumbnail');
});

test('MSG-17: unknown fields of an attachment are kept, also in a replay and in history', async () => {
  const { bea, cal } = await world.people('bea', 'cal');
  const { id: chat_id } = await world.direct(bea, cal);
  const file = await upload(bea, 'text');
  const extra = { caption: 'here', deep: { list: [1, null, { a: true }] }, '': 0 };
  const attachments = [
    { kind: 'ticker' as const, symbol: 'ABC', ...extra },
    { id: file.id, ...extra },
  ];
  const sent = await checkReplay(world, [bea, cal], () => bea.api.sendMessage({ chat_id, text: '', attachments }));
  expect(sent.attachments).toMatchObject([attachments[0], { ...extra, id: file.id, kind: 'file' }]);
  const { items } = await cal.api.getChatHistory({ chat_id });
  expect(items[0]?.attachments[0]).toEqual(attachments[0]);
  await bea.api.forwardMessages({ message_ids: [sent.id], to_chat_id: chat_id });
  expect((await cal.api.getChatHistory({ chat_id })).items[1]?.attachments).toMatchObject(attachments);
});

test('MSG-17: an attachment of 16 KiB is accepted, one byte more is 413', async () => {
  const { dan } = await world.people('dan');
  const { id: chat_id } = await world.direct(dan, dan);
  const send = (attachment: News) => dan.api.sendMessage({ chat_id, text: '', attachments: [attachment] });
  expect((await send(attachmentOf(limit))).attachments).toEqual([attachmentOf(limit)]);
  await expect(send(attachmentOf(limit + 1))).rejects.toMatchObject(tooLarge('attachments.0'));
  const numbers = Array.from({ length: 20_000 }, () => 1);
  await expect(send({ kind: 'news', numbers })).rejects.toMatchObject({ status: 413 });
  await expect(send({ kind: 'news', data: numbers })).rejects.toMatchObject({ status: 413 });
});

test(
  'MSG-18: a service notice is any object up to 16 KiB, and its actor is the caller',
  { tags: ['long'] },
  async () => {
    const { fay, gil } = await world.people('fay', 'gil');
    const { id: chat_id } = await world.direct(fay, gil);
    const send = (service: Record<string, unknown>) => fay.api.sendMessage({ chat_id, text: '', service });
    const empty = { note: '', actor: 'gil' };
    const full = { ...empty, note: 'x'.repeat(limit - JSON.stringify(empty).length) };
    const notices = [{}, { kind: 7, targets: 'all', more: { of: ['it'] } }, { kind: '', actor: null }, full];
    for (const notice of notices) {
      const sent = await checkReplay(world, [fay, gil], () => send(notice));
      expect(sent.service).toEqual({ ...notice, actor: 'fay' });
    }
    await expect(send({ ...full, note: `${full.note}x` })).rejects.toMatchObject(tooLarge('service'));
    const socket = await fay.socket();
    for (const service of ['text', 7, ['a'], true])
      await expect(socket.rpc('sendMessage', { chat_id, text: '', service })).rejects.toMatchObject({
        status: 400,
        parameters: { field: 'service' },
      });
  },
);

test('MSG-17, MSG-18: excessively nested values are refused', async () => {
  const { ivy } = await world.people('ivy');
  const { id: chat_id } = await world.direct(ivy, ivy);
  let deep: unknown = 'x';
  for (let level = 0; level < 40; level += 1) deep = { deep };
  const attachments = [{ kind: 'news' as const, deep }];
  for (const more of [{ attachments }, { service: { deep } }])
    await expect(ivy.api.sendMessage({ chat_id, text: '', ...more })).rejects.toMatchObject({ status: 400 });
});
