import { randomBytes } from 'node:crypto';
import { createWorld, ManualClock, unknownId, type Actor } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';
import { storedBytes } from '../helpers/stored-bytes.ts';

const forbidden = { status: 403, code: 'forbidden' };
const notFound = { status: 404, description: 'not found: invite' };
const wrong = (field: string) => ({ status: 400, code: 'invalid_argument', parameters: { field } });
const idsOf = async (who: Actor, chat_id: string) => (await who.api.getInvites({ chat_id })).items.map(({ id }) => id);

test('INVITE-1: owner and admins create invites; others cannot, and a direct chat has none', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const now = new Date(clock.now());
  const invite = await ann.api.createInvite({ chat_id, expires_in: 60, max_uses: 1 });
  expect(invite).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    token: expect.any(String),
    url: `/join/${invite.token}`,
    created_by: 'ann',
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + 60_000).toISOString(),
    max_uses: 1,
    uses: 0,
  });
  const endless = await bob.api.createInvite({ chat_id });
  expect(endless).toMatchObject({ created_by: 'bob', uses: 0 });
  expect(Object.keys(endless)).not.toEqual(expect.arrayContaining(['expires_at']));
  expect(Object.keys(endless)).not.toEqual(expect.arrayContaining(['max_uses']));
  const { id: direct } = await world.direct(ann, bob);
  for (const [who, chat] of [
    [cleo, chat_id],
    [dora, chat_id],
    [ann, direct],
  ] as const) {
    await expect(who.api.createInvite({ chat_id: chat })).rejects.toMatchObject(forbidden);
    await expect(who.api.getInvites({ chat_id: chat })).rejects.toMatchObject(forbidden);
  }
  await expect(ann.api.createInvite({ chat_id: unknownId })).rejects.toMatchObject({
    description: 'not found: conversation',
  });
  for (const expires_in of [0, 59, 60.5, 365 * 86_400 + 1])
    await expect(ann.api.createInvite({ chat_id, expires_in })).rejects.toMatchObject(wrong('expires_in'));
  for (const max_uses of [0, -1, 1.5, 100_001])
    await expect(ann.api.createInvite({ chat_id, max_uses })).rejects.toMatchObject(wrong('max_uses'));
  await ann.api.createInvite({ chat_id, expires_in: 365 * 86_400, max_uses: 100_000 });
});

test('INVITE-2: a token is 256 random bits, stored hashed and sealed, and in no event or log line', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann);
  const heard: string[] = [];
  world.watcher = { begin: () => 0, read: (_who, text) => void heard.push(text) };
  await ann.follow('ext');
  await bob.follow('ext');
  const invites = [await ann.api.createInvite({ chat_id }), await ann.api.createInvite({ chat_id })];
  for (const { token } of invites) {
    expect(token).toMatch(/^i_[\w-]{43}$/);
    await bob.api.joinChat({ token });
    expect((await fetch(`${world.url}/join/${token}`)).status).toBe(200);
    expect((await fetch(`${world.url}/join/${token}/more`)).status).toBe(404);
    await failure(bob.api.joinChat({ token: `${token}x` }));
  }
  await ann.api.getUpdates({ since: 0 });
  await world.settle();
  const bytes = await storedBytes(world);
  const logs = JSON.stringify(world.logs);
  for (const { token } of invites) {
    expect(bytes.includes(token)).toBe(false);
    expect(bytes.includes(Buffer.from(token.slice(2), 'base64url'))).toBe(false);
    expect(logs).not.toContain(token);
    expect(heard.filter((text) => text.includes(token))).toHaveLength(1);
  }
  expect(new Set(invites.map(({ token }) => token)).size).toBe(2);
});

test('INVITE-3: an invite’s address is below PUBLIC_URL; its page is the same for all and needs no token', async () => {
  await using world = await createWorld({ env: { PUBLIC_URL: 'https://chat.example/at/home/', DEV_TOKENS: '1' } });
  const { ann } = await world.people('ann');
  const chat = await ann.api.startChat({ usernames: [], title: 'a title like no other' });
  const { token, url } = await ann.api.createInvite({ chat_id: chat.id });
  expect(url).toBe(`https://chat.example/at/home/join/${token}`);
  expect((await ann.api.getInvites({ chat_id: chat.id })).items).toMatchObject([{ url }]);
  const pages = await Promise.all(
    [token, 'i_of_nothing', '%00', `${token}?utm=1`].map(async (path) => {
      const response = await fetch(`${world.url}/join/${path}`);
      return [response.status, response.headers.get('etag'), await response.text()];
    }),
  );
  for (const page of pages) expect(page).toEqual(pages[0]);
  expect(pages[0]).toMatchObject([200, expect.any(String), expect.stringMatching(/^<!doctype html>/)]);
  expect(String(pages[0])).not.toContain('a title like no other');
  const response = await fetch(`${world.url}/join/${token}`, { method: 'HEAD' });
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

test('INVITE-4: getInvites lists the valid invites of all makers, newest first', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann, bob);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const other = await world.group(ann);
  await ann.api.createInvite({ chat_id: other.id });
  const used = await ann.api.createInvite({ chat_id, max_uses: 1 });
  const short = await bob.api.createInvite({ chat_id, expires_in: 60 });
  const long = await ann.api.createInvite({ chat_id, expires_in: 61, max_uses: 2 });
  const endless = await bob.api.createInvite({ chat_id });
  const all = { items: [endless, long, short, used] };
  for (const who of [ann, bob]) expect(await who.api.getInvites({ chat_id })).toEqual(all);
  await world.restart();
  expect(await ann.api.getInvites({ chat_id })).toEqual(all);
  await cleo.api.joinChat({ token: used.token });
  expect(await idsOf(ann, chat_id)).toEqual([endless.id, long.id, short.id]);
  await clock.advance(60_000);
  expect(await idsOf(ann, chat_id)).toEqual([endless.id, long.id]);
  await clock.advance(1_000);
  expect(await ann.api.getInvites({ chat_id })).toEqual({ items: [endless] });
});

test('INVITE-4: if the key that sealed a token is missing, the invite is listed without its token and can be revoked', async () => {
  const [first, second] = ['first', 'second'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
  const env = { SECRETS_KEY: first ?? '' };
  await using world = await createWorld({ env });
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann);
  const { token, url: _, ...told } = await ann.api.createInvite({ chat_id });
  env.SECRETS_KEY = second ?? '';
  await world.restart();
  expect(await ann.api.getInvites({ chat_id })).toEqual({ items: [told] });
  // The token itself stays valid.
  await bob.api.joinChat({ token });
  await ann.api.revokeInvite({ invite_id: told.id });
  expect(await ann.api.getInvites({ chat_id })).toEqual({ items: [] });
});

test('INVITE-5: a revoked invite is invalid immediately; revokeInvite is 404 for accounts that do not manage the group', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const { id: invite_id, token } = await ann.api.createInvite({ chat_id });
  await world.group(dora);
  const refusals = await Promise.all([
    failure(cleo.api.revokeInvite({ invite_id })),
    failure(dora.api.revokeInvite({ invite_id })),
    failure(dora.api.revokeInvite({ invite_id: unknownId })),
  ]);
  for (const refusal of refusals) expect(refusal).toMatchObject(notFound);
  expect(refusals[0]).toEqual(refusals[2]);
  await bob.api.revokeInvite({ invite_id });
  await expect(dora.api.joinChat({ token })).rejects.toMatchObject(notFound);
  await expect(cleo.api.joinChat({ token })).rejects.toMatchObject(notFound);
  await expect(bob.api.revokeInvite({ invite_id })).rejects.toMatchObject(notFound);
  const { id: expired } = await ann.api.createInvite({ chat_id, expires_in: 60 });
  await clock.advance(60_000);
  await expect(ann.api.revokeInvite({ invite_id: expired })).rejects.toMatchObject(notFound);
});

test('INVITE-11: a group has at most 100 valid invites; expired ones are deleted', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann);
  const { token } = await ann.api.createInvite({ chat_id, max_uses: 1 });
  await bob.api.joinChat({ token });
  for (let made = 0; made < 99; made += 1) await ann.api.createInvite({ chat_id, expires_in: 3_600 });
  const [last, tooMany] = await Promise.all([
    failure(ann.api.createInvite({ chat_id })),
    failure(ann.api.createInvite({ chat_id })),
  ]);
  expect([last, tooMany]).toEqual([undefined, expect.objectContaining(wrong('chat_id'))]);
  const [newest] = await idsOf(ann, chat_id);
  await ann.api.revokeInvite({ invite_id: newest ?? '' });
  const { id: kept } = await ann.api.createInvite({ chat_id });
  expect(await rowsIn(world, 'invites')).toBe(101);
  await clock.advance(2 * 3_600_000);
  await world.settle();
  expect(await rowsIn(world, 'invites')).toBe(1);
  expect(await idsOf(ann, chat_id)).toEqual([kept]);
  // When everyone has left, no person can manage the group's invites.
  await bob.api.leaveChat({ chat_id });
  await ann.api.leaveChat({ chat_id });
  expect(await rowsIn(world, 'invites')).toBe(0);
});
