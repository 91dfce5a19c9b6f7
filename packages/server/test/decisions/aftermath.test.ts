import { type Actor, createWorld, ManualClock } from '@parley/testing';
import { password } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { scene } from './scene.ts';

test('INBOX-11: an open decision is in the inbox, however many newer items it has', async () => {
  await using world = await createWorld();
  const { ben, ask, inbox } = await scene(world);
  const { message_id } = await ask();
  await world.sql(
    `INSERT INTO inbox (account_key, message_key, chat_key, thread_key, reason)
     WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     SELECT a.key, 1000000 + n.i, c.key, 0, 'mention' FROM n, accounts a, chats c
     WHERE a.username = 'ben' AND c.title = 'a group'`,
  );
  expect(await inbox(ben)).toEqual([message_id]);
  await world.sql('DELETE FROM inbox WHERE message_key >= 1000000');
});

test('DECIDE-8: one that cannot be ended keeps no other from its end, and many expire at once', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, expectsErrors: true });
  const { ask, shown } = await scene(world);
  const broken = await ask({ expires_in: 10 });
  for (let at = 0; at < 101; at += 1) await ask({ expires_in: 20 });
  const last = await ask({ expires_in: 20 });
  await world.sql(
    `UPDATE decisions SET value = 'broken' || value WHERE expires_at = (SELECT min(expires_at) FROM decisions)`,
  );
  await clock.advance(25_000);
  // The work goes on at the next tick, which is set when the last one has ended.
  const leftOpen = async () => {
    await clock.advance(1_000);
    return rowsIn(world, `decisions WHERE state = 'open'`);
  };
  await expect.poll(leftOpen).toBe(1);
  expect((await shown(last.message_id))?.decision?.state).toBe('expired');
  await world.sql(`UPDATE decisions SET value = substr(value, 7) WHERE value LIKE 'broken%'`);
  await expect.poll(leftOpen).toBe(0);
  expect((await shown(broken.message_id))?.decision?.state).toBe('expired');
});

test('DECIDE-7, DECIDE-9: a webhook of one conversation gets everything about the decisions there that its account sees', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, ben, cleo, chat_id, ask } = await scene(world);
  const elsewhere = await world.group(ann, ben);
  const events = ['messageNew', 'messageUpdated', 'decisionUpdated', 'reactionAdded', 'reactionRemoved'] as const;
  for (const actor of [ann, cleo])
    await actor.api.createWebhookSubscription({
      url: `${receiver.origin}/${actor.username}`,
      events: [...events],
      chat_id,
    });
  const secret = { deciders: ['ben'], private: true } as const;
  const { message_id, decision_id } = await ask({ ...secret, deciders: ['ben'] });
  const other = await ann.api.askDecision({
    chat_id: elsewhere.id,
    text: 'There?',
    options: [{ id: 'yes', label: 'Yes' }],
    deciders: ['ben'],
    private: true,
  });
  for (const id of [message_id, other.id, message_id])
    await ben.api.setMessageReaction({ message_id: id, emoji: '👍' });
  await ben.api.decide({ decision_id, option: 'yes' });
  for (let at = 0; at < 3; at += 1) {
    await world.settle();
    await clock.advance(1_000);
  }
  await world.settle();
  expect(receiver.framesAt('/ann').map(({ method }) => method)).toEqual([
    'events.messageNew',
    'events.reactionAdded',
    'events.reactionRemoved',
    'events.messageUpdated',
    'events.decisionUpdated',
  ]);
  expect(receiver.framesAt('/cleo')).toEqual([]);
});

test('DECIDE-12: the end of a decision that no model receives leaves the summaries', async () => {
  await using world = await createWorld();
  const { ben, ask } = await scene(world);
  const secret = await ask({ deciders: ['ben'], private: true });
  const open = await ask();
  await world.sql(
    `INSERT INTO summaries (chat_key, channel_key, thread_key, agent_key, asker_key, from_key, through_key, reach_key, messages, is_whole, text)
     SELECT c.key, 0, 0, a.key, 0, 0, 1000000, 1000000, 5, 1, 'so far' FROM chats c, accounts a
     WHERE c.title = 'a group' AND a.username = 'ben'`,
  );
  await ben.api.decide({ decision_id: secret.decision_id, option: 'yes' });
  expect(await rowsIn(world, 'summaries')).toBe(1);
  await ben.api.decide({ decision_id: open.decision_id, option: 'yes' });
  expect(await rowsIn(world, 'summaries')).toBe(0);
});

test('EXPORT-2, DECIDE-5: an export has what its person has decided, and of others only what was asked', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, ask } = await scene(world);
  const form = [{ key: 'decided_by', label: 'Who?', type: 'string' as const }];
  const [one, two] = [await ask({ form }), await ask({ form })];
  await ben.api.decide({ decision_id: one.decision_id, fields: { decided_by: 'cleo' } });
  await cleo.api.decide({ decision_id: two.decision_id, option: 'decline' });
  const exported = async (actor: Actor) => {
    const document = await fetch(world.url + (await actor.api.exportMyData()).url);
    return ((await document.json()) as { decisions: unknown }).decisions;
  };
  const decided_at: unknown = expect.any(String);
  expect(await exported(ben)).toEqual([
    { message_id: one.message_id, option: 'submit', fields: { decided_by: 'cleo' }, decided_at },
  ]);
  expect(await exported(cleo)).toEqual([{ message_id: two.message_id, option: 'decline', decided_at }]);
  expect(await exported(ann)).toEqual([]);
});

test('DECIDE-3, PEOPLE-9: the text names who decided by the username, so that no other name outlives the account', async () => {
  await using world = await createWorld();
  const { ann, ask, shown, chat_id } = await scene(world);
  const otto = await world.member('otto');
  await otto.api.updateProfile({ display_name: 'Otto Normal' });
  await ann.api.addMembers({ chat_id, usernames: ['otto'] });
  const { message, decision_id, message_id } = await ask();
  await otto.api.decide({ decision_id, option: 'yes' });
  await otto.api.deleteAccount({ password });
  expect((await shown(message_id))?.content).toBe(`${message.content}\n\nDecided: Deploy (otto)`);
});
