import { ApiError } from '@parley/client';
import { createWorld, ManualClock } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { FakePush } from '@parley/testing/push/fake-push.ts';
import { makePushKeys } from '@parley/testing/push/push-keys.ts';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { describe, expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';

const on = { enabled: true, preview: true, sound: true };
const prefs = {
  private_chats: on,
  group_chats: on,
  message_preview: true,
  badge: { enabled: true, include_groups: true, count_messages: true },
};
const device = { enabled: true, in_app: { sounds: true, vibrate: true, preview: true } };

const invalid = (field: string) => ({
  name: ApiError.name,
  status: 400,
  code: 'invalid_argument',
  parameters: { field },
});

describe('preferences', () => {
  test('NOTIF-1: everything is on for a new account and a new device', async () => {
    await using world = await createWorld();
    const member = await world.member();
    const { person } = await world.people('person');
    for (const actor of [member, person])
      expect(await actor.api.getNotificationPrefs()).toMatchObject({ account: prefs, device });
  });

  test('NOTIF-1: vapid_public_key is returned if Web Push is configured', async () => {
    const { env, vapidPublicKey } = makePushKeys();
    await using world = await createWorld({ env });
    const { alice } = await world.people('alice');
    expect(await alice.api.getNotificationPrefs()).toMatchObject({ vapid_public_key: vapidPublicKey });
  });

  test('NOTIF-2: preferences of an account are replaced as a whole, for all its devices', async () => {
    await using world = await createWorld();
    const laptop = await world.member();
    const phone = await world.signIn(laptop);
    const wanted = { ...prefs, message_preview: false, group_chats: { enabled: false, preview: false, sound: true } };
    expect(await laptop.api.setNotificationPrefs(wanted)).toEqual(wanted);
    expect((await phone.api.getNotificationPrefs()).account).toEqual(wanted);
    expect(await phone.api.setNotificationPrefs(prefs)).toEqual(prefs);
    expect((await laptop.api.getNotificationPrefs()).account).toEqual(prefs);
  });

  test.each([
    ['private_chats', { ...prefs, private_chats: undefined }],
    ['group_chats.sound', { ...prefs, group_chats: { enabled: true, preview: true } }],
    ['message_preview', { ...prefs, message_preview: null }],
    ['badge.enabled', { ...prefs, badge: { ...prefs.badge, enabled: 1 } }],
    ['private_chats', {}],
  ])('NOTIF-2: preferences with an invalid %s are refused, and the old ones stay', async (field, wanted) => {
    await using world = await createWorld();
    const { alice } = await world.people('alice');
    // Deliberately not of the declared type.
    expect(await failure(alice.api.setNotificationPrefs(wanted as typeof prefs))).toMatchObject(invalid(field));
    expect((await alice.api.getNotificationPrefs()).account).toEqual(prefs);
  });

  test('NOTIF-3: preferences of a device belong to its session, and are deleted with it', async () => {
    await using world = await createWorld();
    const laptop = await world.member();
    const phone = await world.signIn(laptop);
    const wanted = { enabled: false, in_app: { sounds: false, vibrate: true, preview: false } };
    expect(await phone.api.setDeviceNotificationPrefs(wanted)).toEqual(wanted);
    expect((await phone.api.getNotificationPrefs()).device).toEqual(wanted);
    expect((await laptop.api.getNotificationPrefs()).device).toEqual(device);
    await phone.api.signOut();
    expect(await rowsIn(world, 'device_prefs')).toBe(0);
    expect((await (await world.signIn(laptop)).api.getNotificationPrefs()).device).toEqual(device);
  });

  test('NOTIF-3: with a token that has no session, preferences of a device cannot be set', async () => {
    await using world = await createWorld();
    const { alice } = await world.people('alice');
    const bot = await world.bot(alice);
    for (const actor of [alice, bot])
      expect(await failure(actor.api.setDeviceNotificationPrefs(device))).toMatchObject({
        status: 400,
        code: 'invalid_argument',
      });
  });
});

describe('push tokens', () => {
  test('NOTIF-4: a push token belongs to the last account and session that registered it', () =>
    withPushes(async ({ world, push, pushed }) => {
      const alice = await world.member('alice');
      const bob = await world.member('bob');
      const carol = await world.member('carol');
      const token = push.subscribe('shared');
      const chats = [await world.direct(alice, bob), await world.direct(alice, carol)];
      const sayAll = async (text: string) => {
        for (const { id } of chats)
          await alice.api.sendMessage({ chat_id: id, text: `${text} to ${id === chats[0]?.id ? 'bob' : 'carol'}` });
        await pushed();
      };
      await bob.api.registerPushToken({ platform: 'web', token });
      await sayAll('one');
      await carol.api.registerPushToken({ platform: 'web', token });
      await sayAll('two');
      expect(push.bodies('shared')).toEqual(['one to bob', 'two to carol']);
      expect(await rowsIn(world, 'push_tokens')).toBe(1);
      // A subscription with other field order and extra fields is still the same browser.
      const { keys, endpoint } = JSON.parse(token);
      await carol.api.registerPushToken({ platform: 'web', token: JSON.stringify({ keys, extra: 1, endpoint }) });
      expect(await rowsIn(world, 'push_tokens')).toBe(1);
    }));

  test('NOTIF-7: a push token is deleted with its session, however the session ends', () =>
    withPushes(async ({ world, push, pushed }) => {
      const alice = await world.member('alice');
      const bob = await world.member('bob');
      const { id: chat_id } = await world.direct(alice, bob);
      const devices = { one: await world.signIn(bob), two: await world.signIn(bob), three: await world.signIn(bob) };
      for (const [name, session] of Object.entries({ ...devices, own: bob }))
        await session.api.registerPushToken({ platform: 'web', token: push.subscribe(name) });
      await devices.one.api.signOut();
      const { items } = await devices.two.api.getSessions();
      await bob.api.terminateSession({ session_id: items.find(({ is_current }) => is_current)?.id ?? '' });
      await alice.api.sendMessage({ chat_id, text: 'to two devices' });
      await pushed();
      await bob.api.terminateOtherSessions();
      await alice.api.sendMessage({ chat_id, text: 'to one' });
      await pushed();
      expect(push.received.map(({ device: name }) => name).toSorted()).toEqual(['own', 'own', 'three']);
      expect(await rowsIn(world, 'push_tokens')).toBe(1);
    }));

  test('NOTIF-7: the push token of an expired session is not used', () => {
    const clock = new ManualClock();
    return withPushes(
      async ({ world, push, pushed }) => {
        const alice = await world.person('alice');
        const bob = await world.member('bob');
        const { id: chat_id } = await world.direct(alice, bob);
        await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob') });
        await alice.api.sendMessage({ chat_id, text: 'in time' });
        await push.nth('bob');
        await clock.advance(61_000);
        await alice.api.sendMessage({ chat_id, text: 'too late' });
        await pushed();
        expect(push.bodies('bob')).toEqual(['in time']);
      },
      { clock, settings: { sessionLifetimeMs: 60_000 } },
    );
  });

  test('NOTIF-8: only the account that has a push token can unregister it; doing it again is not an error', async () => {
    await using push = await FakePush.start();
    await using world = await createWorld({ env: { PUSH_ALLOW_PRIVATE: '1' } });
    const { alice, bob } = await world.people('alice', 'bob');
    const token = push.subscribe('alice');
    await alice.api.registerPushToken({ platform: 'web', token });
    await alice.api.registerPushToken({ token: 'phone' });
    await bob.api.unregisterPushToken({ token });
    await bob.api.unregisterPushToken({ token: 'phone' });
    expect(await rowsIn(world, 'push_tokens')).toBe(2);
    for (const gone of [token, token, 'phone', 'never there']) await alice.api.unregisterPushToken({ token: gone });
    expect(await rowsIn(world, 'push_tokens')).toBe(0);
  });

  test('NOTIF-9: an account has at most 50 push tokens; a new one replaces the one registered longest ago', async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    await bob.api.registerPushToken({ token: 'of-bob' });
    for (let at = 0; at < 50; at += 1) await alice.api.registerPushToken({ token: `phone-${at}` });
    await alice.api.registerPushToken({ token: 'phone-0' });
    await alice.api.registerPushToken({ token: 'one-more' });
    const rows = await world.service.read.all<{ address: string }, []>({ sql: 'SELECT address FROM push_tokens' });
    const kept = rows.map(({ address }) => address);
    expect(kept).toHaveLength(51);
    expect(kept).toEqual(expect.arrayContaining(['of-bob', 'phone-2', 'one-more']));
  });

  test('NOTIF-11: at most 10 web endpoints of an account may be at one host; the eleventh replaces the oldest', async () => {
    await using world = await createWorld();
    await using push = await FakePush.start();
    const { alice, bob } = await world.people('alice', 'bob');
    const at = (endpoint: string) => ({
      platform: 'web' as const,
      token: JSON.stringify({ ...JSON.parse(push.subscribe('x')), endpoint }),
    });
    await bob.api.registerPushToken(at('https://push.example/of-bob'));
    await alice.api.registerPushToken(at('https://other.example/x'));
    await alice.api.registerPushToken({ token: 'phone' });
    for (let n = 0; n < 10; n += 1) await alice.api.registerPushToken(at(`https://push.example/${n}`));
    await alice.api.registerPushToken(at('https://push.example/0'));
    // Another port or a final dot is still the same host.
    await alice.api.registerPushToken(at('https://push.example:8443/one-more'));
    await alice.api.registerPushToken(at('https://push.example./another'));
    const rows = await world.service.read.all<{ address: string }, []>({ sql: 'SELECT address FROM push_tokens' });
    const kept = rows.map(({ address }) => address);
    expect(kept).toHaveLength(13);
    for (const dropped of ['1', '2']) expect(kept).not.toContain(`https://push.example/${dropped}`);
    expect(kept).toEqual(
      expect.arrayContaining([
        'https://push.example/0',
        'https://push.example/of-bob',
        'https://other.example/x',
        'phone',
      ]),
    );
  });

  test('NOTIF-5: an invalid push token is refused', async () => {
    await using push = await FakePush.start();
    await using world = await createWorld({ env: { PUSH_ALLOW_PRIVATE: '1' } });
    const { alice } = await world.people('alice');
    const { endpoint, keys } = JSON.parse(push.subscribe('alice'));
    const subscription = (changed: object) => JSON.stringify({ endpoint, keys: { ...keys, ...changed } });
    const offTheCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
    const bad: [platform: 'ios' | 'web', token: string][] = [
      ['ios', ''],
      ['ios', 'a b'],
      ['ios', '../../3/device/other'],
      ['ios', 'x'.repeat(5_000)],
      ['web', 'no json'],
      ['web', 'null'],
      ['web', '[]'],
      ['web', JSON.stringify({ keys })],
      ['web', JSON.stringify({ endpoint, keys: null })],
      ['web', JSON.stringify({ endpoint: 'nowhere', keys })],
      ['web', JSON.stringify({ endpoint: `${endpoint}/${'x'.repeat(2_048)}`, keys })],
      ['web', subscription({ auth: 'c2hvcnQ' })],
      ['web', subscription({ auth: 12 })],
      ['web', subscription({ p256dh: keys.p256dh.slice(2) })],
      ['web', subscription({ p256dh: offTheCurve })],
    ];
    for (const [platform, token] of bad)
      expect(await failure(alice.api.registerPushToken({ platform, token })), token.slice(0, 80)).toMatchObject(
        invalid('token'),
      );
    const wrong = { platform: 'android' as 'ios', token: 'abc' }; // deliberately not of the declared type
    expect(await failure(alice.api.registerPushToken(wrong))).toMatchObject(invalid('platform'));
    expect(await rowsIn(world, 'push_tokens')).toBe(0);
  });

  test('NOTIF-6: an endpoint must be https at a public address', async () => {
    await using push = await FakePush.start();
    await using world = await createWorld();
    const { alice } = await world.people('alice');
    const at = (endpoint: string) => ({
      platform: 'web' as const,
      token: JSON.stringify({ ...JSON.parse(push.subscribe('x')), endpoint }),
    });
    const bad = [
      `${push.url}/push/x`,
      'http://93.184.216.34/x',
      'ftp://93.184.216.34/x',
      'https://localhost/x',
      'https://127.0.0.1/x',
      'https://2130706433/x',
      'https://0x7f.1/x',
      'https://[::1]/x',
      'https://[::ffff:127.0.0.1]/x',
      'https://[64:ff9b::a00:1]/x',
      'https://10.0.0.1/x',
      'https://169.254.169.254/latest',
      'https://100.64.0.1/x',
      'https://0.0.0.0/x',
      'https://user:pw@93.184.216.34/x',
    ];
    for (const endpoint of bad)
      expect(await failure(alice.api.registerPushToken(at(endpoint))), endpoint).toMatchObject(invalid('token'));
    await alice.api.registerPushToken(at('https://93.184.216.34/x'));
    // A name is resolved only when a push is sent.
    await alice.api.registerPushToken(at('https://push.invalid/x'));
    expect(await rowsIn(world, 'push_tokens')).toBe(2);
  });
});
