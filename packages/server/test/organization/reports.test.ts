import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const refused = (status: number) => ({ status });

/** An owner, an admin, a moderator and three members in a group. */
async function scene(world: World) {
  const people = await world.people('olga', 'adam', 'mona', 'ann', 'bob', 'cleo');
  const { olga, adam, mona, ann, bob, cleo } = people;
  await setRole(world, olga, 'owner');
  await setRole(world, adam, 'admin');
  await setRole(world, mona, 'moderator');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  const say = async (by: Actor, text: string) => (await by.api.sendMessage({ chat_id, text })).id;
  return { ...people, chat_id, say };
}

const setRole = (world: World, { username }: Actor, role: string) =>
  world.sql('UPDATE accounts SET role = $1 WHERE username = $2', role, username);
const contents = (list: readonly { content: string }[] | undefined) => list?.map(({ content }) => content);

test('REPORT-1, REPORT-3: moderators see the message and two on each side, as they were, and nothing else', async () => {
  await using world = await createWorld();
  const { mona, ann, bob, cleo, chat_id, say } = await scene(world);
  for (const text of ['one', 'two', 'three']) await say(ann, text);
  const message_id = await say(bob, 'an ugly word');
  for (const text of ['four', 'five', 'six']) await say(ann, text);
  const { id } = await cleo.api.reportMessage({ message_id, reason: 'it is ugly' });
  expect(await cleo.api.reportMessage({ message_id, reason: 'again' })).toEqual({ id });
  await bob.api.editMessage({ message_id, text: 'a nice word' });
  await ann.api.deleteMessages({ message_ids: [message_id] });

  const { items } = await mona.api.getReports();
  expect(items).toHaveLength(1);
  const [report] = items;
  expect(report).toMatchObject({
    id,
    state: 'open',
    message_id,
    conversation_id: chat_id,
    sender: 'bob',
    message: { content: 'an ugly word', sender: { username: 'bob' } },
    reporters: [{ username: 'cleo', reason: 'it is ugly' }],
  });
  expect(contents(report?.before)).toEqual(['two', 'three']);
  expect(contents(report?.after)).toEqual(['four', 'five']);
  // Nothing else of the conversation.
  await expect(mona.api.getChatHistory({ chat_id })).rejects.toMatchObject(refused(403));
  for (const { api } of [ann, bob, cleo]) await expect(api.getReports()).rejects.toMatchObject(refused(403));
});

test('REPORT-1: whoever can read a message may report it, and others learn nothing of it', async () => {
  await using world = await createWorld();
  const { mona, ann, bob, cleo, chat_id, say } = await scene(world);
  const message_id = await say(bob, 'hello');
  await expect(mona.api.reportMessage({ message_id })).rejects.toMatchObject(refused(403));
  await cleo.api.deleteMessagesForMe({ message_ids: [message_id] });
  await expect(cleo.api.reportMessage({ message_id })).rejects.toMatchObject(refused(404));
  await expect(ann.api.reportMessage({ message_id: chat_id })).rejects.toMatchObject(refused(404));
  // A block does not keep anybody from reporting.
  await bob.api.blockUser({ username: 'ann' });
  await ann.api.reportMessage({ message_id });
  await ann.api.deleteMessages({ message_ids: [message_id] });
  await expect(bob.api.reportMessage({ message_id })).rejects.toMatchObject(refused(404));
});

test('REPORT-3: a private question of others is in no copy, and what the reporter has hidden is not either', async () => {
  await using world = await createWorld();
  const { mona, ann, bob, cleo, chat_id, say } = await scene(world);
  await say(ann, 'before');
  const hidden = await say(ann, 'hidden');
  await ann.api.askDecision({
    chat_id,
    text: 'Shall we dismiss cleo?',
    options: [{ id: 'yes', label: 'Yes' }],
    deciders: ['bob'],
    private: true,
  });
  const message_id = await say(bob, 'an ugly word');
  await cleo.api.deleteMessagesForMe({ message_ids: [hidden] });
  await cleo.api.reportMessage({ message_id });
  const seen = await mona.api.getReports();
  expect(contents(seen.items[0]?.before)).toEqual(['before']);
  expect(JSON.stringify(seen)).not.toContain('dismiss');
  // Somebody who may read the question does not show it either, by reporting what is beside it.
  await bob.api.reportMessage({ message_id: await say(ann, 'more') });
  const beside = await mona.api.getReports();
  expect(beside.items.map(({ before }) => contents(before))).toEqual([['before'], ['hidden', 'an ugly word']]);
  expect(JSON.stringify(beside)).not.toContain('dismiss');
});

test('REPORT-4, REPORT-5: a resolution deletes the message for everybody, and the copy is gone', async () => {
  await using world = await createWorld();
  const { mona, ann, bob, cleo, chat_id, say } = await scene(world);
  await say(ann, 'a word before');
  const message_id = await say(bob, 'an ugly word');
  const { id: report_id } = await cleo.api.reportMessage({ message_id });
  const socket = await ann.socket();
  const resolved = await mona.api.resolveReport({ report_id, action: 'delete', note: 'the second one' });
  expect(resolved).toMatchObject({
    state: 'resolved',
    resolution: { action: 'delete', by: 'mona', note: 'the second one' },
  });
  expect(JSON.stringify(resolved)).not.toContain('word');
  await socket.event('messageDeleted', ({ ids }) => ids.includes(message_id));
  expect((await ann.api.getMessages({ message_ids: [message_id] })).items).toEqual([]);
  expect((await mona.api.getReports()).items).toEqual([]);
  const past = await mona.api.getReports({ state: 'resolved' });
  expect(past.items).toEqual([resolved]);
  expect(await world.sql('SELECT 1 FROM reports WHERE copy IS NOT NULL')).toEqual([]);
  await expect(mona.api.resolveReport({ report_id, action: 'none' })).rejects.toMatchObject(refused(409));
  await expect(mona.api.resolveReport({ report_id: chat_id, action: 'none' })).rejects.toMatchObject(refused(404));
});

test('REPORT-4: admins disable who is below them, also for what an agent wrote; moderators do not', async () => {
  await using world = await createWorld();
  const { olga, adam, mona, ann, bob, cleo, chat_id, say } = await scene(world);
  const reportOf = async (by: Actor) =>
    (await cleo.api.reportMessage({ message_id: await say(by, 'an ugly word') })).id;
  const ofBob = await reportOf(bob);
  await expect(mona.api.resolveReport({ report_id: ofBob, action: 'disable' })).rejects.toMatchObject(refused(403));
  await ann.api.addMembers({ chat_id, usernames: ['olga'] });
  const ofOlga = await reportOf(olga);
  await expect(adam.api.resolveReport({ report_id: ofOlga, action: 'disable' })).rejects.toMatchObject(refused(403));
  await adam.api.resolveReport({ report_id: ofBob, action: 'disable' });
  await expect(bob.api.getMe()).rejects.toMatchObject(refused(401));
  const [row] = await world.sql<{ actor: string; details: string }>(
    "SELECT actor, details FROM audit WHERE action = 'setAccountDisabled' AND target = 'bob'",
  );
  expect(row).toMatchObject({ actor: 'adam', details: '{"disabled":true}' });
  // The last owner stays one (ROLE-7).
  await expect(olga.api.resolveReport({ report_id: ofOlga, action: 'disable' })).rejects.toMatchObject(refused(409));
  // A refused resolution leaves the report open.
  expect((await adam.api.getReports()).items.map(({ id }) => id)).toEqual([ofOlga]);
});

test('REPORT-2: an edited message can be reported anew after a resolution; the same text stays resolved', async () => {
  await using world = await createWorld();
  const { mona, bob, cleo, say } = await scene(world);
  const message_id = await say(bob, 'a word');
  const { id: report_id } = await cleo.api.reportMessage({ message_id });
  await mona.api.resolveReport({ report_id, action: 'none' });
  expect(await cleo.api.reportMessage({ message_id })).toEqual({ id: report_id });
  expect((await mona.api.getReports()).items).toEqual([]);
  await bob.api.editMessage({ message_id, text: 'an ugly word' });
  await cleo.api.reportMessage({ message_id });
  expect((await mona.api.getReports()).items.map(({ message }) => message?.content)).toEqual(['an ugly word']);
});

test('REPORT-5: after 30 days a copy that nobody looked at is gone', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { mona, bob, cleo, say } = await scene(world);
  await cleo.api.reportMessage({ message_id: await say(bob, 'an ugly word') });
  await clock.sleep(29 * DAY_MS);
  await world.settle();
  expect((await mona.api.getReports()).items).toHaveLength(1);
  await clock.sleep(DAY_MS - MINUTE_MS);
  await world.settle();
  expect((await mona.api.getReports()).items).toEqual([]);
  const { items } = await mona.api.getReports({ state: 'resolved' });
  expect(items).toMatchObject([{ resolution: { action: 'expired' } }]);
  expect(JSON.stringify(items)).not.toContain('ugly');
});

test('REPORT-6: texts of a copy are cut, open reports of one person are bounded, and lists have pages', async () => {
  await using world = await createWorld({ env: { RATE_LIMITS: '0' } });
  const { mona, bob, cleo, say } = await scene(world);
  const long = 'ä'.repeat(16_000);
  await say(bob, long);
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1)
    ids.push((await cleo.api.reportMessage({ message_id: await say(bob, count === 0 ? long : `word ${count}`) })).id);
  const message_id = await say(bob, 'one more');
  await expect(cleo.api.reportMessage({ message_id })).rejects.toMatchObject(refused(429));
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await mona.api.getReports({ limit: 20, ...(cursor !== undefined && { cursor }) });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
    if (seen.length === 20) {
      expect(Buffer.byteLength(page.items[0]?.message?.content ?? '')).toBe(16 * 1024);
      expect(page.items[0]?.message?.is_cut).toBe(true);
      expect(Buffer.byteLength(page.items[0]?.before?.[0]?.content ?? '')).toBe(4 * 1024);
    }
  }
  expect(seen).toEqual(ids);
});

test('REPORT-2: a report counts everybody who made it, and shows the first 20', async () => {
  await using world = await createWorld();
  const { mona, bob, ann, cleo } = await scene(world);
  const many = await world.people(...Array.from({ length: 20 }, (_, at) => `reader${at}`));
  const { id: chat_id } = await world.group(bob, ...Object.values(many), ann, cleo);
  const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'an ugly word' });
  for (const { api } of [...Object.values(many), ann, cleo]) await api.reportMessage({ message_id });
  const [report] = (await mona.api.getReports()).items;
  expect(report?.reporter_count).toBe(22);
  expect(report?.reporters).toHaveLength(20);
});

test('REPORT-2: what a reporter wrote goes with its account', async () => {
  await using world = await createWorld();
  const { mona, bob } = await scene(world);
  const dora = await world.member('dora');
  const { id: chat_id } = await world.group(bob, dora);
  const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'an ugly word' });
  await dora.api.reportMessage({ message_id, reason: 'he hurts me' });
  await dora.api.deleteAccount({ password: 'correct horse battery staple' });
  const { items } = await mona.api.getReports();
  expect(items).toMatchObject([{ reporter_count: 1 }]);
  expect(JSON.stringify(items)).not.toContain('hurts');
});

test('REPORT-6: at most 50 reports are open of a person that joins those of others too, also at once', async () => {
  await using world = await createWorld({ env: { RATE_LIMITS: '0' } });
  const { bob, ann, cleo, say } = await scene(world);
  const ids: string[] = [];
  for (let count = 0; count < 54; count += 1) {
    const message_id = await say(bob, `word ${count}`);
    await (count < 30 ? ann : bob).api.reportMessage({ message_id });
    ids.push(message_id);
  }
  const answers = await Promise.allSettled(ids.map((message_id) => cleo.api.reportMessage({ message_id })));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
  // A repeat is still answered.
  const [first = ''] = ids.filter((_, at) => answers[at]?.status === 'fulfilled');
  await cleo.api.reportMessage({ message_id: first });
});

test('REPORT-4: moderators neither see nor resolve reports of what they or their agents wrote; the only owner does', async () => {
  await using world = await createWorld();
  const { olga, adam, mona, ann, cleo, chat_id, say } = await scene(world);
  await ann.api.addMembers({ chat_id, usernames: ['mona', 'olga'] });
  const bot = await world.bot(mona);
  await mona.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const reported = async (by: Actor) =>
    (await cleo.api.reportMessage({ message_id: await say(by, 'an ugly word') })).id;
  const [ofMona, ofBot, ofOlga] = [await reported(mona), await reported(bot), await reported(olga)];
  const listed = async ({ api }: Actor, state: 'open' | 'resolved' = 'open') =>
    (await api.getReports({ state })).items.map(({ id }) => id);
  expect(await listed(mona)).toEqual([ofOlga]);
  expect(await listed(adam)).toEqual([ofMona, ofBot, ofOlga]);
  for (const report_id of [ofMona, ofBot])
    await expect(mona.api.resolveReport({ report_id, action: 'none' })).rejects.toMatchObject(refused(403));
  // Nobody is above the only owner, who would otherwise see a report of its own message in no list.
  expect(await listed(olga)).toEqual([ofMona, ofBot, ofOlga]);
  await setRole(world, adam, 'owner');
  expect(await listed(olga)).toEqual([ofMona, ofBot]);
  await expect(olga.api.resolveReport({ report_id: ofOlga, action: 'none' })).rejects.toMatchObject(refused(403));
  for (const report_id of [ofMona, ofOlga]) await adam.api.resolveReport({ report_id, action: 'none' });
  expect(await listed(mona, 'resolved')).toEqual([ofOlga]);
  expect(await listed(olga, 'resolved')).toEqual([ofMona]);
});
