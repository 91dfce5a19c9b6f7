import { checkReplay, createWorld, ManualClock, unknownId } from '@parley/testing';
import { expect, test } from 'vitest';
import { get, photo, storedNames, upload } from '../helpers/file-stage.ts';

const addressPattern = /^\/avatars\/[\w-]{22}\.webp$/;

test(
  'GROUP-16: owner and admins set a group’s picture; all see it, sockets with `ext` immediately',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
    const { id: chat_id, avatar_url: none } = await world.group(ann, bob, cleo);
    expect(none).toBe(null);
    await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
    const seen = async () => (await cleo.api.getChat({ chat_id })).avatar_url;
    const set = async (avatar_file_id: string | null, who = ann, chat = chat_id) =>
      who.api.setChatAvatar({ chat_id: chat, avatar_file_id });
    const [ofAnn, ofBob] = [
      await upload(ann, await photo('png'), 'a.png'),
      await upload(bob, await photo('png'), 'b.png'),
    ];
    const text = await upload(ann, 'no photo');
    const [ext, plain] = [await cleo.socket('ext'), await cleo.socket()];
    const shown: (string | null)[] = [];
    await checkReplay(world, [ann, cleo], async () => {
      await set(ofAnn.id);
      shown.push(await seen());
      await set(ofBob.id, bob);
      shown.push(await seen());
    });
    const [first = '', second = ''] = shown;
    expect(first).toMatch(addressPattern);
    expect(second).not.toBe(first);
    // Anyone who knows the address may fetch it, as an avatar; the previous picture is gone.
    await world.settle();
    expect((await get(world, first ?? '')).status).toBe(404);
    expect((await get(world, second ?? '')).headers.get('content-type')).toBe('image/webp');
    expect(ext.all('conversationUpdated')).toEqual(
      shown.map((avatar_url) => ({ conversation_id: chat_id, avatar_url })),
    );
    expect(plain.all('conversationUpdated')).toEqual([]);

    const { id: direct } = await world.direct(ann, bob);
    expect((await ann.api.getChat({ chat_id: direct })).avatar_url).toBe(null);
    for (const [who, chat] of [
      [cleo, chat_id],
      [dora, chat_id],
      [ann, direct],
    ] as const)
      for (const id of [ofAnn.id, null]) await expect(set(id, who, chat)).rejects.toMatchObject({ status: 403 });
    for (const id of [unknownId, ofBob.id]) await expect(set(id)).rejects.toMatchObject({ status: 404 });
    await expect(set(text.id)).rejects.toMatchObject({ status: 400, parameters: { field: 'avatar_file_id' } });
    expect(await seen()).toBe(second);
    await set(null);
    await set(null);
    await world.settle();
    expect(await seen()).toBe(null);
    expect(ext.all('conversationUpdated').slice(shown.length)).toEqual([
      { conversation_id: chat_id, avatar_url: null },
    ]);
    expect((await storedNames(world)).filter((name) => name.startsWith('avatar-'))).toEqual([]);
  },
);

test(
  'GROUP-16: a picture whose caller loses its role meanwhile is not set, and is removed a day later',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { ann, bob } = await world.people('ann', 'bob');
    const { id: chat_id } = await world.group(ann, bob);
    await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
    const { id } = await upload(bob, await photo('png'), 'b.png');
    const [setting] = await Promise.allSettled([
      bob.api.setChatAvatar({ chat_id, avatar_file_id: id }),
      ann.api.removeMember({ chat_id, username: 'bob' }),
    ]);
    const { avatar_url } = await ann.api.getChat({ chat_id });
    expect(avatar_url !== null).toBe(setting.status === 'fulfilled');
    await clock.advance(86_400_000 + 61_000);
    await world.settle();
    expect((await storedNames(world)).filter((name) => name.startsWith('avatar-'))).toHaveLength(avatar_url ? 1 : 0);
  },
);

test(
  'GROUP-16: the picture survives a crash and the account that set it, but not the last person of the group',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const ann = await world.member('ann');
    const bob = await world.person('bob');
    const { id: chat_id } = await world.group(ann, bob);
    const late = await bob.follower('ext').load();
    const { id } = await upload(ann, await photo('png'), 'a.png');
    await ann.api.setChatAvatar({ chat_id, avatar_file_id: id });
    await world.crash();
    await late.connect();
    await world.settle();
    await late.compare();
    const avatarUrl = late.state.chats.get(chat_id)?.about.avatar_url ?? '';
    await late.drop();
    await ann.api.deleteAccount({ password: 'correct horse battery staple' });
    await world.settle();
    expect((await bob.api.getChat({ chat_id })).avatar_url).toBe(avatarUrl);
    expect((await get(world, avatarUrl)).status).toBe(200);
    await bob.api.leaveChat({ chat_id });
    await world.settle();
    expect((await get(world, avatarUrl)).status).toBe(404);
    expect((await storedNames(world)).filter((name) => name.startsWith('avatar-'))).toEqual([]);
  },
);

test('INVITE-12, GROUP-16: an invite shows the group’s picture', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { token } = await ann.api.createInvite({ chat_id });
  expect(await bob.api.getInvite({ token })).not.toHaveProperty('avatar_url');
  const { id } = await upload(ann, await photo('png'), 'a.png');
  await ann.api.setChatAvatar({ chat_id, avatar_file_id: id });
  const { avatar_url } = await bob.api.getChat({ chat_id });
  expect(await bob.api.getInvite({ token })).toMatchObject({ avatar_url });
});
