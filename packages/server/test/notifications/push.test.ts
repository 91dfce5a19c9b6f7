import { ManualClock } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { describe, expect, test } from 'vitest';
import { photo, upload } from '../helpers/file-stage.ts';
import { allOn, category } from './notification-prefs.ts';

const inApp = { sounds: true, vibrate: true, preview: true };

describe('both platforms', () => {
  test('PUSH-15: a subscription without extras gets only title and body, and no take-backs', () =>
    withPushes(
      async ({ world, push, pushed }) => {
        const { alice } = await world.people('alice');
        const bob = await world.member('bob');
        const { id: chat_id } = await world.direct(alice, bob);
        const wanted = push.subscribe('bob');
        for (const extras of [undefined, 'true', 1, false]) {
          const token = JSON.stringify({ ...JSON.parse(wanted), extras });
          await bob.api.registerPushToken({ platform: 'web', token });
          const { id: message_id } = await alice.api.sendMessage({ chat_id, text: `extras: ${extras}` });
          await pushed();
          await bob.api.markRead({ chat_id, message_id });
          await pushed();
        }
        const expected = ['undefined', 'true', '1', 'false'].map((value) => ({
          title: 'alice',
          body: `extras: ${value}`,
        }));
        expect(push.of('bob').map(({ payload }) => payload)).toEqual(expected);
        // The message was pushed while the subscription had extras; without extras it gets no take-back.
        await bob.api.registerPushToken({ platform: 'web', token: wanted });
        const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'with extras' });
        await pushed();
        expect(push.of('bob').at(-1)?.payload).toMatchObject({ body: 'with extras', chat_id, message_id, badge: 1 });
        const plain = JSON.stringify({ ...JSON.parse(wanted), extras: undefined });
        await bob.api.registerPushToken({ platform: 'web', token: plain });
        await bob.api.markRead({ chat_id, message_id });
        await pushed();
        expect(push.of('bob')).toHaveLength(5);
      },
      { clock: new ManualClock() },
    ));

  test('PUSH-15: with extras a Web Push also contains the message’s id, chat and position; it is encrypted for the browser and signed by the service', () =>
    withPushes(async ({ push, keys, aliceAndBob }) => {
      const { alice, chat_id } = await aliceAndBob();
      const { id: message_id, position } = await alice.api.sendMessage({ chat_id, text: '**hello** Bob' });
      const { payload, headers, claims } = await push.nth('bob');
      expect(payload).toEqual({ title: 'alice', body: 'hello Bob', chat_id, message_id, position, badge: 1 });
      expect(claims).toMatchObject({ aud: push.url, sub: 'mailto:operator@example.com', key: keys.vapidPublicKey });
      expect(headers).toMatchObject({ ttl: '604800', urgency: 'high' });
    }));

  test('PUSH-15, GROUP-16: with extras a Web Push of a group also contains the address of its picture', () =>
    withPushes(async ({ world, push }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: chat_id } = await world.group(alice, bob);
      const picture = await upload(alice, await photo('png'), 'a.png');
      await alice.api.setChatAvatar({ chat_id, avatar_file_id: picture.id });
      const { avatar_url } = await alice.api.getChat({ chat_id });
      await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob') });
      await alice.api.sendMessage({ chat_id, text: 'hello' });
      expect((await push.nth('bob')).payload).toMatchObject({ title: 'a group', chat_id, icon: avatar_url });
    }));

  test('PUSH-27: a reminder is pushed in the language of the device', () => {
    const clock = new ManualClock();
    return withPushes(
      async ({ world, push, pushed, aliceAndBob }) => {
        const { alice, bob, chat_id } = await aliceAndBob();
        await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob'), locale: 'de' });
        const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'remember' });
        await bob.api.remindMe({ message_id, remind_at: new Date(clock.now() + 60_000).toISOString() });
        await clock.advance(60_000);
        for (let tick = 0; tick < 3; tick += 1) {
          await clock.advance(1_000);
          await world.settle();
        }
        await pushed();
        expect(push.of('bob').at(-1)?.payload).toMatchObject({
          body: 'Du wolltest an eine Nachricht von alice erinnert werden.',
        });
      },
      { clock },
    );
  });

  test('PUSH-27: the service’s own words in a push are in the language of the device', () =>
    withPushes(
      async ({ push, pushed, aliceAndBob }) => {
        const { alice, bob, chat_id, say } = await aliceAndBob();
        const token = push.subscribe('bob');
        const { id } = await upload(alice, await photo('png'), 'a.png');
        const bodies: string[] = [];
        for (const locale of ['de', 'pt-BR', 'JA-jp', 'nl', undefined]) {
          await bob.api.registerPushToken({ platform: 'web', token, locale });
          await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id }] });
          await pushed();
          bodies.push(String(push.of('bob').at(-1)?.payload?.['body']));
        }
        expect(bodies).toEqual(['Foto', 'Foto', '写真', 'Photo', 'Photo']);
        // Without a preview, and a text of a person as it is.
        await bob.api.registerPushToken({ platform: 'web', token, locale: 'de' });
        await say('Photo');
        await pushed();
        await bob.api.setNotificationPrefs({ ...allOn, message_preview: false });
        await say('secret');
        await pushed();
        expect(
          push
            .of('bob')
            .slice(-2)
            .map(({ payload }) => payload?.['body']),
        ).toEqual(['Photo', 'Neue Nachricht']);
        for (const locale of ['', 'd', 'de_DE', 'x'.repeat(36)])
          await expect(bob.api.registerPushToken({ platform: 'web', token, locale })).rejects.toMatchObject({
            status: 400,
          });
      },
      { clock: new ManualClock() },
    ));

  test('PUSH-16: an APNs alert has title, body, badge, sound and conversation', () =>
    withPushes(async ({ world, apns }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: chat_id } = await world.group(alice, bob);
      await bob.api.registerPushToken({ token: 'abcdef0123' });
      await alice.api.sendMessage({ chat_id, text: 'hello' });
      const { aps, headers, claims } = await apns.nth('abcdef0123');
      const alert = { title: 'a group', body: 'alice: hello' };
      expect(aps).toEqual({ alert, badge: 1, sound: 'default', 'thread-id': chat_id });
      expect(headers).toMatchObject({
        'apns-topic': 'com.example.parley',
        'apns-push-type': 'alert',
        'apns-priority': '10',
      });
      expect(claims).toMatchObject({ iss: 'TEAM123456', header: { alg: 'ES256', kid: 'KEY1234567' } });
      expect(apns.refused).toEqual([]);
    }));

  test('PUSH-10: pushes of one conversation have one topic, those of another have another', () =>
    withPushes(async ({ world, push, apns, aliceAndBob }) => {
      const { alice, bob, say } = await aliceAndBob();
      await bob.api.registerPushToken({ token: 'phone' });
      const { id: group } = await world.group(alice, bob);
      await say('one');
      await say('two');
      await alice.api.sendMessage({ chat_id: group, text: 'three' });
      const topics = [await push.nth('bob', 1), await push.nth('bob', 2), await push.nth('bob', 3)].map(
        ({ headers }) => headers['topic'],
      );
      const ids = [await apns.nth('phone', 1), await apns.nth('phone', 2), await apns.nth('phone', 3)].map(
        ({ headers }) => headers['apns-collapse-id'],
      );
      expect(ids).toEqual(topics);
      expect(new Set(topics).size).toBe(2);
      expect(topics[0]).toBe(topics[1]);
      expect(push.bodies('bob')).toEqual(['one', 'two', 'alice: three']);
    }));

  test('PUSH-18, NOTIF-10: a platform without configuration is skipped, the other is not', () =>
    withPushes(
      async ({ push, apns, aliceAndBob, pushed }) => {
        const { bob, say } = await aliceAndBob();
        await bob.api.registerPushToken({ token: 'phone' });
        expect(await bob.api.getNotificationPrefs()).not.toHaveProperty('vapid_public_key');
        await say('hello');
        await apns.nth('phone');
        await pushed();
        expect(push.requests).toBe(0);
      },
      { env: { VAPID_SUBJECT: '' } },
    ));
});

describe('what is pushed', () => {
  test('PUSH-7: messages to others are pushed; service notices and deleted messages are not', () =>
    withPushes(async ({ push, aliceAndBob, pushed }) => {
      const held = Promise.withResolvers<void>();
      const { alice, bob, chat_id, say } = await aliceAndBob({ hold: held.promise }, {});
      await alice.api.sendMessage({ chat_id, text: '', service: { kind: 'renamed' } });
      await bob.api.sendMessage({ chat_id, text: 'my own' });
      await say('one');
      await push.nth('bob');
      const { id } = await say('deleted before its turn came');
      await alice.api.deleteMessages({ message_ids: [id] });
      await say('two');
      held.resolve();
      await pushed();
      expect(push.bodies('bob')).toEqual(['one', 'two']);
    }));

  test('PUSH-7, PUSH-10: messages deleted or hidden while they wait are not pushed; the others are pushed one by one', () =>
    withPushes(async ({ push, aliceAndBob, pushed }) => {
      const held = Promise.withResolvers<void>();
      const { alice, bob, chat_id, say } = await aliceAndBob({ hold: held.promise }, {});
      const send = async (text: string) => (await alice.api.sendMessage({ chat_id, text })).id;
      await say('under way');
      await push.nth('bob');
      for (const text of ['one', 'two']) await say(text);
      const [hidden, deleted] = [await send('hidden'), await send('deleted')];
      await bob.api.deleteMessagesForMe({ message_ids: [hidden] });
      await alice.api.deleteMessages({ message_ids: [deleted] });
      held.resolve();
      await pushed();
      expect(push.bodies('bob')).toEqual(['under way', 'one', 'two']);
    }));

  test('PUSH-7: a retry of a message is not pushed again', () =>
    withPushes(async ({ push, aliceAndBob, pushed }) => {
      const { alice, chat_id } = await aliceAndBob();
      const message = { chat_id, text: 'once', client_msg_id: 'the same' };
      await alice.api.sendMessage(message);
      await alice.api.sendMessage(message);
      await pushed();
      expect(push.bodies('bob')).toEqual(['once']);
    }));

  test("PUSH-7: an agent's reply is pushed once, when it is complete; one that fails or is stopped is not", () =>
    withPushes(async ({ world, push, pushed }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const bot = await world.bot(alice);
      const { id: chat_id } = await world.group(alice, bob);
      await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
      await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob') });
      const reply = async (text: string, status?: 'failed' | 'cancelled') => {
        const { id } = await bot.api.startMessageStream({ chat_id });
        await bot.api.appendMessageStream({ message_id: id, delta: text, offset: text.length });
        await bot.api.finishMessageStream({ message_id: id, ...(status && { status }) });
      };
      await reply('broken', 'failed');
      await reply('stopped', 'cancelled');
      await reply('whole');
      await bot.api.sendMessage({ chat_id, text: 'said at once' });
      await pushed();
      expect(push.bodies('bob')).toEqual(['bot: whole', 'bot: said at once']);
    }));

  test('PUSH-7: messages in threads and channels are pushed; hidden ones, and those of former conversations, are not', () =>
    withPushes(async ({ world, push, pushed }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: chat_id } = await world.group(alice, bob);
      const held = Promise.withResolvers<void>();
      await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob', { hold: held.promise }, {}) });
      const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'off topic' });
      const root = await alice.api.sendMessage({ chat_id, channel_id, text: 'in a channel' });
      await push.nth('bob');
      await alice.api.sendMessage({ chat_id, channel_id, thread_root_id: root.id, text: 'in a thread' });
      const { id: hidden } = await alice.api.sendMessage({ chat_id, text: 'hidden' });
      await bob.api.deleteMessagesForMe({ message_ids: [hidden] });
      held.resolve();
      await pushed();
      expect(push.bodies('bob')).toEqual(['alice: in a channel', 'alice: in a thread']);
      await bob.api.leaveChat({ chat_id });
      await alice.api.sendMessage({ chat_id, text: 'among ourselves' });
      await pushed();
      expect(push.of('bob')).toHaveLength(2);
    }));
});

describe('who is pushed to', () => {
  test('PUSH-1: people and bots get pushes, also without a session', () =>
    withPushes(async ({ world, push, pushed }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const carol = await world.member('carol');
      const bot = await world.bot(alice);
      const { id: chat_id } = await world.group(alice, bob, carol);
      await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
      for (const [name, actor] of Object.entries({ alice, bob, carol, bot }))
        await actor.api.registerPushToken({ platform: 'web', token: push.subscribe(name) });
      await alice.api.sendMessage({ chat_id, text: 'hello' });
      await pushed();
      expect(push.received.map(({ device }) => device).toSorted()).toEqual(['bob', 'bot', 'carol']);
      // The categories are those of the conversation, and a mute of the bot's counts.
      await bot.api.setChatNotifications({ chat_id, is_muted: true });
      await alice.api.sendMessage({ chat_id, text: 'hello again' });
      await pushed();
      expect(push.of('bot')).toHaveLength(1);
    }));

  test('PUSH-1: in a large group everyone who is not live gets one push', () =>
    withPushes(async ({ world, push, pushed }) => {
      const { alice } = await world.people('alice');
      const names = Array.from({ length: 60 }, (_, at) => `member_${at}`);
      const members = await Promise.all(names.map((name) => world.person(name)));
      const { id: chat_id } = await world.group(alice, ...members);
      for (const member of members)
        await member.api.registerPushToken({ platform: 'web', token: push.subscribe(member.username) });
      for (const text of ['one', 'two', 'three']) await alice.api.sendMessage({ chat_id, text });
      await pushed();
      for (const name of names) expect(push.bodies(name)).toEqual(['alice: one', 'alice: two', 'alice: three']);
    }));
});

describe('preferences', () => {
  test('PUSH-1, PUSH-2: category, mute and preview apply as they are when the push is sent', () =>
    withPushes(async ({ world, push, aliceAndBob, pushed }) => {
      const { alice, bob, chat_id, say } = await aliceAndBob();
      const { id: group } = await world.group(alice, bob);
      const both = async (text: string) => {
        await say(text);
        await alice.api.sendMessage({ chat_id: group, text });
        await pushed();
      };
      await bob.api.setNotificationPrefs({ ...allOn, private_chats: category(false) });
      await both('1');
      await bob.api.setNotificationPrefs({ ...allOn, group_chats: category(false) });
      await both('2');
      await bob.api.setNotificationPrefs({ ...allOn, group_chats: category(true, false) });
      await both('3');
      await bob.api.setNotificationPrefs({ ...allOn, message_preview: false });
      await both('4');
      await bob.api.setNotificationPrefs(allOn);
      await bob.api.setChatNotifications({ chat_id, is_muted: true });
      await both('5');
      await bob.api.setChatNotifications({ chat_id, is_muted: false });
      await both('6');
      const generic = 'New message';
      expect(push.bodies('bob')).toEqual([
        'alice: 1',
        '2',
        '3',
        generic,
        generic,
        generic,
        'alice: 5',
        '6',
        'alice: 6',
      ]);
    }));

  test('PUSH-1: disabling pushes on one device stops only those to its session', () =>
    withPushes(async ({ world, push, pushed }) => {
      const alice = await world.member('alice');
      const laptop = await world.member('bob');
      const phone = await world.signIn(laptop);
      const { id: chat_id } = await world.direct(alice, laptop);
      await laptop.api.registerPushToken({ platform: 'web', token: push.subscribe('laptop') });
      await phone.api.registerPushToken({ platform: 'web', token: push.subscribe('phone') });
      await phone.api.setDeviceNotificationPrefs({ enabled: false, in_app: inApp });
      await alice.api.sendMessage({ chat_id, text: 'one' });
      await pushed();
      await phone.api.setDeviceNotificationPrefs({
        enabled: true,
        in_app: { sounds: false, vibrate: false, preview: false },
      });
      await alice.api.sendMessage({ chat_id, text: 'two' });
      await pushed();
      expect([push.bodies('laptop'), push.bodies('phone')]).toEqual([['one', 'two'], ['two']]);
    }));

  test('PUSH-6: the badge counts what the preferences select', () =>
    withPushes(async ({ world, apns, pushed }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: direct } = await world.direct(alice, bob);
      const { id: group } = await world.group(alice, bob);
      await bob.api.registerPushToken({ token: 'phone' });
      const badgeAfter = async (chat_id: string, badge: Partial<typeof allOn.badge>) => {
        await bob.api.setNotificationPrefs({ ...allOn, badge: { ...allOn.badge, ...badge } });
        await alice.api.sendMessage({ chat_id, text: 'hello' });
        await pushed();
        return apns.of('phone').at(-1)?.aps['badge'];
      };
      expect(await badgeAfter(direct, {})).toBe(1);
      expect(await badgeAfter(direct, {})).toBe(2);
      expect(await badgeAfter(group, {})).toBe(3);
      expect(await badgeAfter(group, { include_groups: false })).toBe(2);
      expect(await badgeAfter(group, { count_messages: false })).toBe(2);
      expect(await badgeAfter(group, { count_messages: false, include_groups: false })).toBe(1);
      expect(await badgeAfter(group, { enabled: false })).toBeUndefined();
      const { items } = await bob.api.getChatHistory({ chat_id: group });
      await bob.api.markRead({ chat_id: group, message_id: items.at(-1)?.id ?? '' });
      expect(await badgeAfter(direct, {})).toBe(3);
    }));

  test('PUSH-6: a conversation in the archive does not count, until a message brings it back', () =>
    withPushes(async ({ world, apns, pushed }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: direct } = await world.direct(alice, bob);
      const { id: chat_id } = await world.group(alice, bob);
      const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'one' });
      await bob.api.registerPushToken({ token: 'phone' });
      await alice.api.sendMessage({ chat_id, channel_id, text: 'in the group' });
      await pushed();
      const badgeAfter = async (say: { chat_id: string; thread_root_id?: string }) => {
        const { id } = await alice.api.sendMessage({ ...say, text: 'hello' });
        await pushed();
        return [id, apns.of('phone').at(-1)?.aps['badge']] as const;
      };
      const [thread_root_id, two] = await badgeAfter({ chat_id });
      expect(two).toBe(2);
      await bob.api.setChatState({ chat_id, is_archived: true });
      expect((await badgeAfter({ chat_id: direct }))[1]).toBe(1);
      expect((await badgeAfter({ chat_id, thread_root_id }))[1]).toBe(4);
      await bob.api.setChatNotifications({ chat_id, is_muted: true });
      await bob.api.setChatState({ chat_id, is_archived: true });
      await alice.api.sendMessage({ chat_id, text: 'unheard' });
      expect((await badgeAfter({ chat_id: direct }))[1]).toBe(2);
    }));

  test('PUSH-6: the badge equals the unread counts of the conversations', () =>
    withPushes(async ({ world, apns, pushed }) => {
      const { alice, bob } = await world.people('alice', 'bob');
      const { id: chat_id } = await world.group(alice, bob);
      await bob.api.registerPushToken({ token: 'phone' });
      const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'one' });
      const { id: closed } = await alice.api.createChannel({ chat_id, title: 'two' });
      const { id: thread_root_id } = await alice.api.sendMessage({ chat_id, text: 'a root' });
      await alice.api.sendMessage({ chat_id, thread_root_id, text: 'a reply' });
      await alice.api.sendMessage({ chat_id, channel_id, text: 'in a channel' });
      await alice.api.sendMessage({ chat_id, channel_id: closed, text: 'in one that goes' });
      await alice.api.deleteChannel({ chat_id, channel_id: closed });
      const { id: hidden } = await alice.api.sendMessage({ chat_id, text: 'hidden' });
      await bob.api.deleteMessagesForMe({ message_ids: [hidden] });
      const { id: deleted } = await alice.api.sendMessage({ chat_id, text: 'deleted' });
      await alice.api.deleteMessages({ message_ids: [deleted] });
      await bob.api.sendMessage({ chat_id, text: 'my own' });
      await pushed();
      await alice.api.sendMessage({ chat_id, text: 'the last' });
      await pushed();
      const { unread_count } = await bob.api.getChat({ chat_id });
      expect(unread_count).toBe(4);
      expect(apns.of('phone').at(-1)?.aps['badge']).toBe(unread_count);
    }));
});
