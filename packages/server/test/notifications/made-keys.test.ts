import { randomBytes } from 'node:crypto';
import { createWorld, type World } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';

const none = { VAPID_PRIVATE_PEM_BASE64: '', VAPID_PUBLIC_KEY: '', VAPID_SUBJECT: '' };
const made = { ...none, WEB_PUSH: 'made' };
const keysOf = (world: World) => world.services.map(({ push }) => push.vapidKey);
const storedKeys = (world: World) => world.sql<{ sealed: string }>('SELECT sealed FROM service_keys');

test('NOTIF-12: with WEB_PUSH=made web pushes are signed with a key that all nodes share, after a restart too', () =>
  withPushes(
    async ({ world, push, aliceAndBob }) => {
      const [key, ...others] = keysOf(world);
      expect(key).toMatch(/^[\w-]{87}$/);
      expect(others).toEqual(others.map(() => key));
      const { bob, say } = await aliceAndBob();
      expect(await bob.api.getNotificationPrefs()).toMatchObject({ vapid_public_key: key });
      await say('hello');
      expect((await push.nth('bob')).claims).toMatchObject({ sub: 'mailto:operator@example.com', key });
      const stored = await storedKeys(world);
      expect(stored).toEqual([{ sealed: expect.stringMatching(/^v1:1:[\w-]+$/) }]);
      expect(Buffer.from(stored[0]?.sealed.split(':')[2] ?? '', 'base64url').toString('latin1')).not.toContain('KEY');
      await world.restart();
      expect(new Set(keysOf(world))).toEqual(new Set([key]));
      expect(await storedKeys(world)).toEqual(stored);
    },
    { env: made },
  ));

test('NOTIF-12: without variables web pushes are skipped, and a key that was made is kept for WEB_PUSH=made', async () => {
  const env: Record<string, string> = { WEB_PUSH: 'made' };
  await using world = await createWorld({ env });
  const [key] = keysOf(world);
  const stored = await storedKeys(world);
  expect(world.logs.find(({ msg }) => msg.startsWith('web pushes are signed'))).toMatchObject({ level: 30 });
  delete env['WEB_PUSH'];
  await world.restart();
  const ann = await world.person('ann');
  expect(await ann.api.getNotificationPrefs()).not.toHaveProperty('vapid_public_key');
  expect(world.services.map(({ settings }) => settings.pushes)).toEqual(world.services.map(() => false));
  expect(await storedKeys(world)).toEqual(stored);
  env['WEB_PUSH'] = 'made';
  await world.restart();
  expect(new Set(keysOf(world))).toEqual(new Set([key]));
});

test('NOTIF-12: keys in the variables take precedence, and then none is made', () =>
  withPushes(
    async ({ world, keys }) => {
      expect(new Set(keysOf(world))).toEqual(new Set([keys.vapidPublicKey]));
      expect(await storedKeys(world)).toEqual([]);
    },
    { env: { WEB_PUSH: 'made' } },
  ));

test('NOTIF-13: push services are told an https PUBLIC_URL as the contact', () =>
  withPushes(
    async ({ push, aliceAndBob }) => {
      const { say } = await aliceAndBob();
      await say('hello');
      expect((await push.nth('bob')).claims).toMatchObject({ sub: 'https://chat.example' });
    },
    { env: { ...made, PUBLIC_URL: 'https://chat.example/', DEV_TOKENS: '1' } },
  ));

test('NOTIF-14: if no secrets key opens the made key, the service starts, warns and keeps it', async () => {
  const [one, two] = [1, 2].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
  const env = { SECRETS_KEY: one ?? '', WEB_PUSH: 'made' };
  await using world = await createWorld({ env });
  const [key] = keysOf(world);
  env.SECRETS_KEY = two ?? '';
  await world.restart();
  const ann = await world.person('ann');
  expect(await ann.api.getNotificationPrefs()).not.toHaveProperty('vapid_public_key');
  expect(world.logs.filter(({ level, msg }) => level === 40 && msg.startsWith('web pushes are skipped'))).toHaveLength(
    world.services.length,
  );
  env.SECRETS_KEY = `${two},${one}`;
  await world.restart();
  expect(new Set(keysOf(world))).toEqual(new Set([key]));
});
