import { theService } from '@parley/server/calls/unit-queue.ts';
import { passwords } from '@parley/server/secrets/passwords.ts';
import { Actor, createWorld, ManualClock, unknownId } from '@parley/testing';
import { trimLog } from '@parley/testing/stores/tend-log.ts';
import { expect, test } from 'vitest';
import { get } from '../helpers/file-stage.ts';
import { storedBytes } from '../helpers/stored-bytes.ts';
import { isSigned, Receiver } from './receiver.ts';
import { stage, textsAt } from './subscription-stage.ts';

const wrong = (field: string) => ({ status: 400, code: 'invalid_argument', parameters: { field } });
const url = 'https://hooks.example/parley';

test('WEBHOOK-20: people and bots subscribe to what they may see; the secret is returned once', async () => {
  await using world = await createWorld();
  const { ann, bob, dora } = await world.people('ann', 'bob', 'dora');
  const { id: chat_id } = await world.group(ann, bob);
  const events = ['messageNew', 'reactionAdded', 'messageNew'] as const;
  const { secret, ...made } = await ann.api.createWebhookSubscription({ url, events: [...events], chat_id });
  expect(made).toEqual({
    id: expect.any(String),
    url,
    events: ['messageNew', 'reactionAdded'],
    chat_id,
    seq: expect.any(Number),
    status: 'active',
    created_at: expect.any(String),
  });
  expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
  const own = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const second = await ann.api.createWebhookSubscription({ url, events: ['alert'], secret: own });
  expect(second.secret).toBe(own);
  const { secret: _, ...other } = second;
  expect((await ann.api.getWebhookSubscriptions()).items).toEqual([other, made]);
  expect((await bob.api.getWebhookSubscriptions()).items).toEqual([]);
  const bot = await world.bot(ann);
  await bot.api.createWebhookSubscription({ url, events: ['messageNew'] });

  const base = { url, events: ['messageNew' as const] };
  await expect(dora.api.createWebhookSubscription({ ...base, chat_id })).rejects.toMatchObject({ status: 403 });
  await expect(ann.api.createWebhookSubscription({ ...base, chat_id: unknownId })).rejects.toMatchObject({
    status: 404,
  });
  await expect(ann.api.createWebhookSubscription({ url, events: [] })).rejects.toMatchObject(wrong('events'));
  for (const bad of ['whsec_short', 'whsec_' + 'x'.repeat(45), Buffer.alloc(24).toString('base64')])
    await expect(ann.api.createWebhookSubscription({ ...base, secret: bad })).rejects.toMatchObject(wrong('secret'));
  await expect(bob.api.deleteWebhookSubscription({ subscription_id: made.id })).rejects.toMatchObject({ status: 404 });
  await expect(bob.api.replayWebhook({ subscription_id: made.id, from_seq: 0 })).rejects.toMatchObject({ status: 404 });
  await ann.api.deleteWebhookSubscription({ subscription_id: made.id });
  expect((await ann.api.getWebhookSubscriptions()).items).toEqual([other]);
  await expect(ann.api.deleteWebhookSubscription({ subscription_id: made.id })).rejects.toMatchObject({ status: 404 });
});

test('WEBHOOK-20: an account has at most ten subscriptions, and an old session must give its password', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const ann = await world.member('ann');
  const base = { url, events: ['messageNew' as const] };
  for (let at = 0; at < 10; at += 1) await ann.api.createWebhookSubscription(base);
  await expect(ann.api.createWebhookSubscription(base)).rejects.toMatchObject(wrong('url'));
  const [first] = (await ann.api.getWebhookSubscriptions()).items;
  await ann.api.deleteWebhookSubscription({ subscription_id: first?.id ?? '' });
  await clock.advance(901_000);
  await expect(ann.api.createWebhookSubscription(base)).rejects.toMatchObject({
    status: 403,
    parameters: { field: 'password' },
  });
  await ann.api.createWebhookSubscription({ ...base, password: 'correct horse battery staple' });
});

test('WEBHOOK-21: events are sent in order, filtered, and signed as Standard Webhooks defines', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, chat_id, subscribe, say, pass, standing } = await stage(world, clock, receiver);
  await say('before');
  const all = await subscribe(ann, '/all', { events: ['messageNew', 'reactionAdded'] });
  const { id: other } = await world.direct(ann, bob);
  const { id } = await say('one');
  await bob.api.sendMessage({ chat_id: other, text: 'elsewhere' });
  await ann.api.setMessageReaction({ message_id: id, emoji: '👍' });
  await ann.api.pinMessage({ chat_id, message_id: id });
  await say('two');
  await pass();
  const methods = receiver.framesAt('/all').map(({ method }) => method);
  const said = 'events.messageNew';
  expect(methods).toEqual([said, said, 'events.reactionAdded', said]);
  const seqs = receiver.framesAt('/all').map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  const [first] = receiver.got;
  expect(first?.body).toMatchObject({ subscription_id: all.id });
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': `${all.id}-${(await standing(ann))?.seq}`,
    'webhook-timestamp': String(Math.floor(clock.now() / 1_000)),
  });
  expect(first && isSigned(first, all.secret)).toBe(true);
  expect(first && isSigned(first, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false);
  // Nothing is due.
  await pass();
  expect(receiver.got).toHaveLength(1);

  await subscribe(bob, '/chat', { chat_id });
  await bob.api.sendMessage({ chat_id: other, text: 'elsewhere' });
  await say('three');
  await pass();
  expect(textsAt(receiver, '/chat')).toEqual(['three']);
});

test('WEBHOOK-21: many events come in requests of at most 100, without a pause between them', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say, pass } = await stage(world, clock, receiver);
  await subscribe(ann, '/');
  const texts = Array.from({ length: 230 }, (_, at) => `message ${at}`);
  for (const text of texts) await say(text);
  await pass();
  expect(receiver.got.map(({ body }) => body.frames.length)).toEqual([100, 100, 30]);
  expect(textsAt(receiver, '/')).toEqual(texts);
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
});

test('WEBHOOK-20: a subscription that is deleted while its events are sent gets no further request', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say } = await stage(world, clock, receiver);
  const { id: subscription_id } = await subscribe(ann, '/');
  for (let at = 0; at < 101; at += 1) await say(`message ${at}`);
  await world.settle();
  const held = Promise.withResolvers<() => void>();
  receiver.answer = (response) => held.resolve(() => response.writeHead(204).end());
  await clock.advance(1_000);
  const answer = await held.promise;
  await ann.api.deleteWebhookSubscription({ subscription_id });
  answer();
  await world.settle();
  expect(receiver.got).toHaveLength(1);
});

test('WEBHOOK-22: a receiver gets only what the account may see at the moment of sending', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, chat_id, subscribe, say, pass } = await stage(world, clock, receiver);
  await subscribe(ann, '/');
  const { id: deleted } = await say('a secret');
  const { id: edited } = await say('a tpyo');
  await bob.api.editMessage({ message_id: edited, text: 'a typo' });
  await bob.api.deleteMessages({ message_ids: [deleted] });
  await pass();
  expect(textsAt(receiver, '/')).toEqual(['a typo']);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'owner' });
  await say('the last that ann may see?');
  await ann.api.leaveChat({ chat_id });
  await say('without ann');
  await pass();
  expect(textsAt(receiver, '/')).toEqual(['a typo']);
  expect(receiver.got.map(({ text }) => text).join()).not.toContain('a secret');
});

test('WEBHOOK-23, WEBHOOK-24: the cursor moves only after 2xx; until then nothing later is sent, and it is repeated', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say, pass, standing } = await stage(world, clock, receiver);
  const { seq } = await subscribe(ann, '/');
  receiver.answer = (response) => response.writeHead(500).end('no');
  await say('one');
  await pass();
  expect(await standing(ann)).toMatchObject({
    seq,
    status: 'failing',
    failure: 'it answered with status 500',
    failure_cause: { kind: 'status', status: 500 },
  });
  await say('two');
  await pass();
  // The delay after the first failure is at least 2.5 seconds.
  expect(receiver.got).toHaveLength(1);
  receiver.answer = (response) => response.writeHead(200).end('ok');
  await pass(5_000);
  expect(receiver.got.map(({ body }) => body.frames.length)).toEqual([1, 2]);
  const now = await standing(ann);
  expect(now).toMatchObject({ status: 'active', seq: receiver.got[1]?.body.frames[1]?.seq });
  expect(now).not.toHaveProperty('failure');
});

test('WEBHOOK-23: an alert is sent also when the receiver was away for longer than sockets get it', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, subscribe, pass } = await stage(world, clock, receiver);
  await subscribe(ann, '/', { events: ['alert'] });
  receiver.answer = (response) => response.writeHead(500).end();
  await bob.api.pushAlert({ to_username: 'ann', text: 'the build is broken' });
  await pass();
  await pass(61_000);
  receiver.answer = (response) => response.writeHead(204).end();
  receiver.got.length = 0;
  await world.sql('UPDATE webhook_subscriptions SET next_at = 1');
  await pass();
  expect(receiver.framesAt('/').map(({ params }) => params['text'])).toEqual(['the build is broken']);
});

test('WEBHOOK-23: a service that crashes before the receiver has answered sends the same events again, with the same id', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say } = await stage(world, clock, receiver);
  await subscribe(ann, '/');
  await say('one');
  await world.settle();
  receiver.answer = () => {};
  await clock.advance(1_000);
  await receiver.arrived(1);
  receiver.answer = (response) => response.writeHead(204).end();
  await world.crash();
  await clock.advance(1_000);
  await receiver.arrived(2);
  const [first, second] = receiver.got;
  expect(second?.text).toBe(first?.text);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

test('WEBHOOK-27: replayWebhook begins again after any event, also a disabled subscription', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say, pass, standing } = await stage(world, clock, receiver);
  const { id: subscription_id, seq } = await subscribe(ann, '/');
  for (const text of ['one', 'two']) await say(text);
  await pass();
  const [one] = receiver.framesAt('/');
  expect(await ann.api.replayWebhook({ subscription_id, from_seq: one?.seq ?? 0 })).toMatchObject({
    seq: one?.seq,
    status: 'active',
  });
  await pass();
  expect(textsAt(receiver, '/')).toEqual(['one', 'two', 'two']);
  await world.sql('UPDATE webhook_subscriptions SET next_at = NULL, failing_since = 1, failure = NULL');
  await say('three');
  await pass();
  expect(await standing(ann)).toMatchObject({ status: 'disabled' });
  await ann.api.replayWebhook({ subscription_id, from_seq: seq });
  await pass();
  expect(textsAt(receiver, '/').slice(3)).toEqual(['one', 'two', 'three']);
});

test('WEBHOOK-27: a replay that would begin after the newest event is refused, and changes nothing', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say, pass } = await stage(world, clock, receiver);
  const { id: subscription_id } = await subscribe(ann, '/');
  await say('one');
  await pass();
  const { head } = await ann.api.getUpdates({ since: 0 });
  await expect(ann.api.replayWebhook({ subscription_id, from_seq: head + 1 })).rejects.toMatchObject({
    code: 'invalid_argument',
    parameters: { field: 'from_seq' },
  });
  await ann.api.replayWebhook({ subscription_id, from_seq: head });
  await say('two');
  await pass();
  expect(textsAt(receiver, '/')).toEqual(['one', 'two']);
});

test('WEBHOOK-28: private addresses are refused when they are given, and when a name leads to one later', async () => {
  const clock = new ManualClock();
  await using receiver = await Receiver.start();
  await using world = await createWorld({ clock });
  const { ann, subscribe } = await stage(world, clock, receiver);
  for (const bad of [
    receiver.origin,
    'http://hooks.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://me:secret@hooks.example/',
    'ftp://hooks.example/',
    'hooks.example',
  ])
    await expect(ann.api.createWebhookSubscription({ url: bad, events: ['messageNew'] }), bad).rejects.toMatchObject(
      wrong('url'),
    );
  await expect(subscribe(ann, '/')).rejects.toMatchObject(wrong('url'));
});

test('WEBHOOK-28: an address that the operator no longer allows is not connected to', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  const env: Record<string, string> = receiver.env;
  await using world = await createWorld({ clock, env });
  const { ann, subscribe, say, pass, standing } = await stage(world, clock, receiver);
  await subscribe(ann, '/');
  env['WEBHOOK_ENDPOINTS'] = 'none';
  await world.restart();
  await say('one');
  await pass();
  expect(await standing(ann)).toMatchObject({
    failure: 'it must have an address that the operator allows',
    failure_cause: { kind: 'refused' },
  });
  expect(receiver.got).toEqual([]);
});

test('WEBHOOK-29: a receiver whose next events the log no longer has is told so, and continues with the newest', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, chat_id, subscribe, say, pass } = await stage(world, clock, receiver);
  await subscribe(ann, '/');
  receiver.answer = (response) => response.writeHead(500).end();
  await say('lost');
  await pass();
  for (let at = 0; at < 30; at += 1) await bob.api.sendMessage({ chat_id, text: `${at}` });
  await trimLog(world.service, 5);
  receiver.answer = (response) => response.writeHead(204).end();
  await pass(5_000);
  expect(receiver.got.at(-1)?.body).toMatchObject({ frames: [], truncated: true });
  await say('next');
  await pass();
  expect(textsAt(receiver, '/').at(-1)).toBe('next');
});

test('WEBHOOK-30: subscriptions end with their account, and rest while it is disabled', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { bob, subscribe, say, pass } = await stage(world, clock, receiver);
  const cleo = await world.member('cleo');
  const { id: own } = await world.group(cleo, bob);
  const bot = await world.bot(cleo);
  await cleo.api.addGroupAgent({ chat_id: own, agent_username: bot.username });
  await subscribe(cleo, '/cleo');
  await subscribe(bot, '/bot');
  const { units } = world.service;
  const disable = (isDisabled: boolean) =>
    units.run('switchAccount', theService, { username: 'cleo', isDisabled }, clock.now());
  await disable(true);
  await bob.api.sendMessage({ chat_id: own, text: 'one' });
  await pass();
  expect(receiver.got).toEqual([]);
  await disable(false);
  await pass();
  expect(receiver.got.map(({ path }) => path).toSorted()).toEqual(['/bot', '/cleo']);
  const again = await world.signIn(cleo);
  await again.api.deleteBot({ username: bot.username });
  expect(await world.sql('SELECT 1 FROM webhook_subscriptions')).toHaveLength(1);
  await again.api.deleteAccount({ password: 'correct horse battery staple' });
  expect(await world.sql('SELECT 1 FROM webhook_subscriptions')).toEqual([]);
  await say('two');
  await pass();
  expect(receiver.got).toHaveLength(2);
});

test('WEBHOOK-30, BOT-2: a new token ends the subscriptions of the bot, of no one else', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, chat_id, subscribe, say, pass } = await stage(world, clock, receiver);
  const bot = await world.bot(ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await subscribe(bot, '/thief');
  await subscribe(ann, '/ann');
  await say('one');
  await pass();
  expect(textsAt(receiver, '/thief')).toEqual(['one']);
  await expect(bob.api.rotateBotToken({ username: bot.username })).rejects.toMatchObject({ status: 403 });
  const { token } = await ann.api.rotateBotToken({ username: bot.username });
  await say('two');
  await pass();
  expect(textsAt(receiver, '/thief')).toEqual(['one']);
  expect(textsAt(receiver, '/ann')).toEqual(['one', 'two']);
  expect((await new Actor(world, bot.username, token).api.getWebhookSubscriptions()).items).toEqual([]);
});

test('WEBHOOK-30, ADMIN-5: a password that the operator resets ends the account’s subscriptions', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { bob, subscribe } = await stage(world, clock, receiver);
  const cleo = await world.member('cleo');
  await subscribe(cleo, '/');
  await subscribe(bob, '/');
  const password = 'another horse battery';
  const passwordHash = await passwords.hash(password, 'known');
  await world.service.units.run('replacePassword', theService, { username: 'cleo', passwordHash }, clock.now());
  const { token } = await cleo.api.signIn({ username: 'cleo', password });
  expect((await new Actor(world, 'cleo', token).api.getWebhookSubscriptions()).items).toEqual([]);
  expect((await bob.api.getWebhookSubscriptions()).items).toHaveLength(1);
});

test('WEBHOOK-31: the secret is stored sealed, appears in no event and log line, and an export has the subscription without it', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say, pass, standing } = await stage(world, clock, receiver);
  const { secret } = await subscribe(ann, '/');
  await say('one');
  await pass();
  const bytes = await storedBytes(world);
  const key = secret.replace('whsec_', '');
  expect(bytes.includes(key)).toBe(false);
  expect(bytes.includes(Buffer.from(key, 'base64'))).toBe(false);
  expect(JSON.stringify(world.logs)).not.toContain(key);
  const text = await (await get(world, (await ann.api.exportMyData()).url)).text();
  expect(JSON.parse(text)).toMatchObject({ webhook_subscriptions: [await standing(ann)] });
  expect(text).not.toContain(key);
});
