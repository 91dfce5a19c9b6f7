import { checkReplay, createWorld } from '@parley/testing';
import { expect, test } from 'vitest';

const shared = { read_receipts: true, last_seen: true, link_previews: true };

test('READ-2: a person shares everything until setPrivacy changes it, one setting at a time; an agent gets 403', async () => {
  await using world = await createWorld();
  const { anna, ben } = await world.people('anna', 'ben');
  expect(await anna.api.getPrivacy()).toEqual(shared);
  expect(await anna.api.setPrivacy({ read_receipts: false })).toEqual({ ...shared, read_receipts: false });
  expect(await anna.api.setPrivacy({ last_seen: false })).toEqual({
    ...shared,
    read_receipts: false,
    last_seen: false,
  });
  expect(await anna.api.setPrivacy({})).toEqual({ ...shared, read_receipts: false, last_seen: false });
  expect(await anna.api.setPrivacy({ read_receipts: true })).toEqual({ ...shared, last_seen: false });
  const now = { ...shared, last_seen: false, link_previews: false };
  expect(await anna.api.setPrivacy({ link_previews: false })).toEqual(now);
  await world.restart();
  expect(await anna.api.getPrivacy()).toEqual(now);
  expect(await ben.api.getPrivacy()).toEqual(shared);
  const bot = await world.bot(ben);
  for (const call of [bot.api.getPrivacy(), bot.api.setPrivacy({ last_seen: false })])
    await expect(call).rejects.toMatchObject({ status: 403 });
  await expect(anna.api.setPrivacy({ last_seen: 'no' as unknown as boolean })).rejects.toMatchObject({ status: 400 });
});

test('READ-3: a change of the settings reaches the person’s own devices, also those that were away, and nobody else', async () => {
  await using world = await createWorld();
  const { anna, ben } = await world.people('anna', 'ben');
  await world.group(anna, ben);
  const [phone, plain, other] = [await anna.socket('ext'), await anna.socket(), await ben.socket('ext')];
  const since = phone.hello.head;
  await checkReplay(world, [anna, ben], async () => {
    await anna.api.setPrivacy({ read_receipts: false });
    await anna.api.setPrivacy({ read_receipts: false });
  });
  await world.settle();
  expect(phone.all('privacyUpdated')).toEqual([{ ...shared, read_receipts: false }]);
  for (const socket of [plain, other]) expect(socket.frames).toEqual([]);
  const back = await anna.socket('ext');
  const { frames } = (await back.rpc('getUpdates', { since })) as { frames: unknown[] }; // the declared result
  expect(frames).toEqual([expect.objectContaining({ method: 'events.privacyUpdated' })]);
});
