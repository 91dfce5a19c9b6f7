import { createWorld, ManualClock } from '@parley/testing';
import { SteeredReply } from '@parley/testing/providers/fake-reply.ts';
import { expect, test } from 'vitest';
import { bodies, note, summaryScene } from '../helpers/summary-stage.ts';

test('SUMMARY-8: a deletion or an edit of a covered message deletes the summary; other messages do not', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, say, ask, stored } = await summaryScene(world);
  const [first = '', second = '', , fourth = ''] = await say(6);
  await ask();
  await bob.api.deleteMessages({ message_ids: [fourth] });
  await alice.api.deleteMessagesForMe({ message_ids: [first] });
  expect(await stored()).toHaveLength(1);
  await bob.api.editMessage({ message_id: first, text: `a word ${'x'.repeat(9_000)}` });
  expect(await stored()).toEqual([]);
  await say(2);
  await clock.advance(600_000);
  await ask();
  expect(await stored()).toHaveLength(1);
  await bob.api.deleteMessages({ message_ids: [second] });
  expect(await stored()).toEqual([]);
  await say(1);
  await clock.advance(600_000);
  const [summary = ''] = bodies(await ask());
  expect(summary).toContain('a word');
  expect(summary).not.toContain('number 2 ');
  expect(await stored()).toHaveLength(1);
});

test('SUMMARY-7: a summary that was deleted is made again after 10 minutes, or once 20 messages after it are left out', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, chat_id, say, ask, stored } = await summaryScene(world);
  world.stayOnFirst();
  const [first = ''] = await say(6);
  const edit = (n: number) => bob.api.editMessage({ message_id: first, text: `edited ${n} ${'x'.repeat(9_000)}` });
  expect(await ask()).toHaveLength(2);
  await edit(1);
  expect(await ask()).toHaveLength(1);
  await clock.advance(600_000);
  expect(await ask()).toHaveLength(2);
  await edit(2);
  for (let n = 1; n <= 60; n += 1) await bob.api.sendMessage({ chat_id, text: `short ${n}` });
  expect(await ask()).toHaveLength(2);
  expect(await stored()).toHaveLength(1);
});

test.each(['delete', 'edit'] as const)(
  'SUMMARY-8: a summary that is being made when a covered message is changed (%s) is neither stored nor sent',
  async (change) => {
    await using world = await createWorld();
    const { bob, agent, say, send, script, stored } = await summaryScene(world);
    const summary = new SteeredReply();
    script(summary);
    const [first = ''] = await say(6);
    await send();
    await summary.started;
    if (change === 'delete') await bob.api.deleteMessages({ message_ids: [first] });
    else await bob.api.editMessage({ message_id: first, text: 'something else' });
    summary.text('Bob has told a secret.');
    summary.end();
    await world.turnsEnded();
    const [, reply = '', ...others] = bodies(world.providers.requestsOf(agent.key));
    expect(others).toEqual([]);
    expect(reply).not.toMatch(/secret|summary of/);
    expect(await stored()).toEqual([]);
  },
);

test('SUMMARY-8: a message that is deleted while the summary is made is not sent with the reply either', async () => {
  await using world = await createWorld();
  const { bob, agent, say, send, script } = await summaryScene(world);
  const summary = new SteeredReply();
  script(summary);
  const ids = await say(6);
  await send();
  await summary.started;
  await bob.api.deleteMessages({ message_ids: [ids[4] ?? ''] });
  summary.text('Bob counts.');
  summary.end();
  await world.turnsEnded();
  const [, reply = ''] = bodies(world.providers.requestsOf(agent.key));
  expect(reply).toContain('number 6 ');
  expect(reply).not.toContain('number 5 ');
  expect(reply).toContain(note);
});

test('SUMMARY-8: a summary that continues a former one is not stored if that one was deleted meanwhile', async () => {
  await using world = await createWorld();
  const { bob, say, ask, send, script, stored, lastReply } = await summaryScene(world);
  const [first = ''] = await say(6);
  await ask();
  const summary = new SteeredReply();
  script(summary);
  await say(4);
  await send();
  await summary.started;
  await bob.api.deleteMessages({ message_ids: [first] });
  summary.text('Bob counts on.');
  summary.end();
  await world.turnsEnded();
  expect(await stored()).toEqual([]);
  expect(await lastReply()).toMatchObject({ content: 'an answer' });
});

test('SUMMARY-8, REGEN-6: a summary has the current version of a reply, and goes when another one becomes current', async () => {
  await using world = await createWorld();
  const { alice, say, ask, script, stored, lastReply } = await summaryScene(world);
  await ask();
  const first = await lastReply();
  script({ chunks: ['Bob counts.'] }, { chunks: ['a second answer'] });
  await alice.api.retryReply({ message_id: first?.id ?? '' });
  await world.turnsEnded();
  await say(6);
  const [summary = ''] = bodies(await ask());
  expect(summary).toContain('a second answer');
  expect(summary).not.toContain('an answer');
  expect(await stored()).toHaveLength(1);
  await alice.api.chooseVersion({ message_id: first?.id ?? '' });
  expect(await stored()).toEqual([]);
});

test('SUMMARY-8: the summary goes when a covered reply is regenerated, and when its new version is stopped without text', async () => {
  await using world = await createWorld();
  const { alice, chat_id, agent, say, ask, script, stored, lastReply } = await summaryScene(world);
  await ask();
  const first = (await lastReply())?.id ?? '';
  await say(6);
  await ask();
  expect(await stored()).toHaveLength(1);
  const steered = new SteeredReply();
  script({ chunks: ['Bob counts.'] }, steered);
  const { id: message_id } = await alice.api.retryReply({ message_id: first });
  expect(await stored()).toEqual([]);
  await steered.started;
  // A summary that has neither version, as a question in the meantime makes it.
  const keys = await world.sql<{ low: number; high: number }>('SELECT min(key) AS low, max(key) AS high FROM messages');
  const insert = `INSERT INTO summaries (chat_key, channel_key, thread_key, agent_key, asker_key, from_key, through_key,
      reach_key, messages, is_whole, text, attempt)
    SELECT m.chat_key, m.channel_key, m.thread_key, m.sender_key, 0, ${keys[0]?.low}, ${keys[0]?.high}, ${keys[0]?.high},
      3, 1, 'Bob counts.', NULL FROM messages m WHERE m.key = (SELECT max(key) FROM messages WHERE status = 'streaming')`;
  await world.sql(insert);
  expect(await stored()).toHaveLength(1);
  await alice.api.stopRun({ chat_id, message_id });
  await world.turnsEnded();
  expect(await stored()).toEqual([]);
  expect(world.providers.requestsOf(agent.key).length).toBeGreaterThan(0);
});

test('SUMMARY-8: a covered reply that is continued deletes the summary', async () => {
  await using world = await createWorld();
  const { alice, say, ask, script, stored, lastReply } = await summaryScene(world);
  script({ chunks: ['Bob counts.'] }, { chunks: ['half'], finish: 'max_tokens' });
  await ask();
  const message_id = (await lastReply())?.id ?? '';
  await say(6);
  await ask();
  expect(await stored()).toHaveLength(1);
  await alice.api.continueReply({ message_id });
  await world.turnsEnded();
  expect(await stored()).toEqual([]);
});

test('SUMMARY-8: the deletion of a channel deletes its summaries', async () => {
  await using world = await createWorld();
  const { alice, chat_id, say, ask, stored } = await summaryScene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  await say(6, { channel_id });
  await ask(alice, { channel_id });
  await say(6);
  await ask();
  expect(await stored()).toHaveLength(2);
  await alice.api.deleteChannel({ chat_id, channel_id });
  expect(await stored()).toHaveLength(1);
});

test('SUMMARY-9: summaries are deleted with the agent, the account that paid, and a person who may be named in them', async () => {
  await using world = await createWorld();
  const { alice, chat_id, say, ask, stored, script } = await summaryScene(world);
  const { username } = await alice.api.createAgent({ slug: 'own', display_name: 'Own', provider: 'provider_a' });
  await alice.api.addGroupAgent({ chat_id, agent_username: username });
  const carol = await world.person('carol');
  const dora = await world.member('dora');
  await alice.api.addMembers({ chat_id, usernames: ['carol', 'dora'] });
  await carol.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-carol' } });
  script({ chunks: ['Carol’s.'] }, { chunks: ['ok'] }, 'key-of-carol');
  await say(6);
  await ask();
  await ask(carol, { text: `@${username} ?` }, 'key-of-carol');
  await ask(alice, { text: `@${username} ?` });
  expect(await stored()).toHaveLength(3);
  await alice.api.deleteAgent({ username });
  expect(await stored()).toHaveLength(1);
  // Neither do exports contain them.
  const { url } = await alice.api.exportMyData();
  expect(await (await fetch(new URL(url, world.url))).text()).not.toContain('Bob counts.');
  await dora.api.deleteAccount({ password: 'correct horse battery staple' });
  expect(await stored()).toEqual([]);
});

test.each(['leaves', 'is removed'] as const)(
  'SUMMARY-9: when a person %s, the summaries of the conversation are deleted',
  async (how) => {
    await using world = await createWorld();
    const { alice, bob, chat_id, say, ask, stored } = await summaryScene(world);
    await say(6);
    await ask();
    expect(await stored()).toHaveLength(1);
    if (how === 'leaves') await bob.api.leaveChat({ chat_id });
    else await alice.api.removeMember({ chat_id, username: bob.username });
    expect(await stored()).toEqual([]);
  },
);
