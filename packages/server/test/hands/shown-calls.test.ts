import type { Params, ToolCall } from '@parley/protocol';
import type { Actor } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { get } from '../helpers/file-stage.ts';
import { asking, calls, type Hands, scene, toolParts, withHands } from './hands-stage.ts';

const DAY = 86_400_000;
const SECRET = 'salary-of-anna';

const list = async ({ api }: Actor, more: Params<'getToolCalls'> = {}): Promise<ToolCall[]> =>
  (await api.getToolCalls(more)).items;

/** Ann in a group with bob, whose agent calls with the account of its owner; ann asks. */
async function withOwner(hands: Hands) {
  const { world, server } = hands;
  server.tokens = ['bobs-token'];
  const [ann, bob, cleo] = await Promise.all([world.person('ann'), world.person('bob'), world.person('cleo')]);
  const made = await scene(hands, { given: { identity: 'owner', auth: 'bearer' }, others: [ann, cleo], asker: bob });
  await bob.api.setToolCredential({ username: made.agent.username, server: 'bank', token: 'bobs-token' });
  return { ...made, ann, bob, cleo };
}

test('CALL-18: a person sees each call that was made for it, with what it was shown and answered, newest first', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, agent, chat, answers, ask, decide, reply } = await scene(hands);
  answers(
    asking(calls('peek', { of: SECRET }), calls('gone')),
    { chunks: ['Seen.'] },
    asking(calls('pay', { to: 'bob' })),
    { chunks: ['Paid.'] },
  );
  await ask();
  await world.turnsEnded();
  await ask('again');
  await world.turnsEnded();
  const [waiting] = await list(ann);
  expect(waiting).toMatchObject({ tool: 'pay', status: 'needs_approval', arguments: { to: 'bob' } });
  expect(waiting).not.toHaveProperty('sent_at');
  await decide('once');
  await world.turnsEnded();
  // A tool that is not offered reaches nobody.
  const [pay, peek, ...others] = await list(ann);
  expect(others).toEqual([]);
  const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
  expect(pay).toEqual({
    call_id: toolParts(await reply())[0]?.call_id,
    agent: { username: agent.username, kind: 'agent', display_name: expect.any(String) },
    asker: { username: 'ann', kind: 'human', display_name: expect.any(String) },
    server: 'bank',
    host: hands.server.origin,
    tool: 'pay',
    title: 'Pay',
    as: 'none',
    writes: true,
    status: 'done',
    asked_at: time,
    sent_at: time,
    ended_at: time,
    conversation_id: chat.id,
    message_id: (await reply()).id,
    decided_by: 'ann',
    decided_at: time,
    option: 'once',
    reads_to: ['ann'],
    readers: 1,
    arguments: { to: 'bob' },
    result: 'paid bob',
  });
  expect(peek).toMatchObject({ tool: 'peek', writes: false, status: 'done', arguments: { of: SECRET } });
  expect(peek).not.toHaveProperty('decided_by');
  expect(await list(ann, { status: 'done' })).toHaveLength(2);
  expect(await list(ann, { status: 'denied' })).toEqual([]);
  expect(await list(ann, { agent_username: agent.username })).toHaveLength(2);
  expect(await list(ann, { agent_username: 'ann:nobody' })).toEqual([]);
  // Of a reply that is deleted it stays that there was a call.
  await ann.api.deleteMessages({ message_ids: [(await reply()).id] });
  const [deleted] = await list(ann);
  expect(deleted).toMatchObject({ call_id: pay?.call_id, status: 'done', decided_by: 'ann' });
  for (const name of ['arguments', 'result', 'message_id', 'conversation_id']) expect(deleted).not.toHaveProperty(name);
});

test('CALL-18: pages of calls neither skip nor repeat one, also if calls are made at the same time and meanwhile', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, answers, ask } = await scene(hands);
  const seven = Array.from({ length: 7 }, () => calls('peek'));
  answers(asking(...seven), { chunks: ['Seen.'] }, asking(calls('peek')), { chunks: ['Seen.'] });
  await ask();
  await world.turnsEnded();
  const all = (await list(ann)).map(({ call_id }) => call_id);
  const first = await ann.api.getToolCalls({ limit: 3 });
  await ask();
  await world.turnsEnded();
  const paged = first.items.map(({ call_id }) => call_id);
  for (let cursor = first.next_cursor; cursor !== undefined;) {
    const page = await ann.api.getToolCalls({ limit: 3, cursor });
    paged.push(...page.items.map(({ call_id }) => call_id));
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(all);
  expect(paged).toHaveLength(7);
});

test('CALL-18: the owner of an agent sees that its account was used, by whom and for which tool, and nothing of what was asked', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, bob, cleo, agent, chat, answers } = await withOwner(hands);
  answers(asking(calls('peek', { of: SECRET })), { chunks: ['Seen.'] });
  await ann.api.sendMessage({ chat_id: chat.id, text: `@${agent.username} please` });
  await world.turnsEnded();
  const [own] = await list(ann);
  expect(own).toMatchObject({ as: 'owner', arguments: { of: SECRET }, result: 'the balance is 7' });
  const { arguments: _, result: __, ...rest } = own ?? expect.fail('ann sees no call');
  expect(await list(bob)).toEqual([rest]);
  // Who only reads the reply sees it there.
  expect(await list(cleo)).toEqual([]);
  answers(asking(calls('pay', { to: SECRET })), { chunks: ['Then not.'] });
  const { id: direct } = await ann.api.startChat({ username: agent.username });
  await ann.api.sendMessage({ chat_id: direct, text: 'please' });
  await world.turnsEnded();
  const [asked] = (await ann.api.getDecisions({ state: 'open' })).items;
  await ann.api.decide({ decision_id: asked?.decision?.id ?? '', option: 'decline' });
  await world.turnsEnded();
  expect((await list(ann))[0]).toMatchObject({ option: 'decline', reads_to: ['ann'], arguments: { to: SECRET } });
  const [seen] = await list(bob);
  expect(seen).toMatchObject({ tool: 'pay', status: 'denied', asker: { username: 'ann' } });
  // Where it was asked is for those who take part there.
  for (const name of ['conversation_id', 'message_id', 'option', 'decided_by', 'reads_to', 'arguments'])
    expect(seen).not.toHaveProperty(name);
  // An owner who asks its own agent sees the call once.
  answers(asking(calls('peek')), { chunks: ['Seen.'] });
  const { id: own_chat } = await bob.api.startChat({ username: agent.username });
  await bob.api.sendMessage({ chat_id: own_chat, text: 'please' });
  await world.turnsEnded();
  expect(await list(bob)).toHaveLength(3);
});

test('CALL-18: calls are shown for 90 days, to their people and not to agents, and go with the account', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, answers, ask } = await scene(hands, { asker: await world.member('ann') });
  answers(asking(calls('peek')), { chunks: ['Seen.'] });
  await ask();
  await world.turnsEnded();
  const bot = await world.bot(ann);
  for (const name of ['getToolCalls', 'getToolGrants'] as const)
    expect(await failure(bot.api[name]({}))).toMatchObject({ code: 'forbidden' });
  const later = async (days: number) => world.sql('UPDATE tool_calls SET created_at = created_at - $1', days * DAY);
  await later(89);
  expect(await list(ann)).toHaveLength(1);
  await later(2);
  expect(await list(ann)).toEqual([]);
  await later(-91);
  expect(await list(ann)).toHaveLength(1);
  await ann.api.deleteAccount({ password: 'correct horse battery staple' });
  expect(await world.sql('SELECT key FROM tool_calls')).toEqual([]);
});

test('EXPORT-2, CALL-14: an export has the calls that its person sees and what it has allowed, without contents', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, answers, ask, decide } = await scene(hands);
  answers(asking(calls('pay', { to: SECRET })), { chunks: ['Paid.'] });
  await ask();
  await world.turnsEnded();
  await decide('always');
  await world.turnsEnded();
  const [shown] = await list(ann);
  const { arguments: _, result: __, ...call } = shown ?? expect.fail('no call is shown');
  const [allowed] = (await ann.api.getToolGrants({})).items;
  const { grant_id: ___, ...grant } = allowed ?? expect.fail('nothing is allowed');
  const text = await (await get(world, (await ann.api.exportMyData()).url)).text();
  expect(JSON.parse(text)).toMatchObject({ tool_calls: [call], tool_grants: [grant] });
  expect(text).not.toContain(SECRET);
});

test('CALL-19: what a person has allowed is listed once, with where and when, and when it was last used', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const bob = await world.person('bob');
  const { ann, agent, chat, answers, ask, decide } = await scene(hands);
  const pay = () => {
    answers(asking(calls('pay', { to: 'bob' })), { chunks: ['Paid.'] });
    return ask();
  };
  await pay();
  await world.turnsEnded();
  await decide('once');
  await world.turnsEnded();
  expect((await ann.api.getToolGrants({})).items).toEqual([]);
  await pay();
  await world.turnsEnded();
  await decide('chat');
  await world.turnsEnded();
  const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
  const shown = {
    grant_id: expect.any(String),
    agent: { username: agent.username, kind: 'agent', display_name: expect.any(String) },
    server: 'bank',
    host: hands.server.origin,
    tool: 'pay',
    title: 'Pay',
    where: 'chat',
    conversation_id: chat.id,
    granted_at: time,
  };
  const [inChat, ...others] = (await ann.api.getToolGrants({})).items;
  expect([inChat, ...others]).toEqual([shown]);
  expect((await bob.api.getToolGrants({})).items).toEqual([]);
  await pay();
  await world.turnsEnded();
  expect((await ann.api.getToolGrants({})).items).toEqual([{ ...shown, used_at: time }]);
  expect((await list(ann))[0]).toMatchObject({ status: 'done' });
  expect((await list(ann))[0]).not.toHaveProperty('decided_by');

  // An answer for everywhere stands for the one in the conversation.
  await ann.api.revokeToolGrant({ grant_id: inChat?.grant_id ?? '' });
  await pay();
  await world.turnsEnded();
  await decide('always');
  await world.turnsEnded();
  const { conversation_id: _, ...everywhere } = shown;
  expect((await ann.api.getToolGrants({})).items).toEqual([{ ...everywhere, where: 'always' }]);
});

test('CALL-20: after revokeToolGrant the next call asks again, and only the person itself takes back', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const bob = await world.person('bob');
  const { ann, answers, ask, decide, decisions } = await scene(hands);
  const open = async () => (await decisions()).filter(({ decision }) => decision?.state === 'open').length;
  const pay = async () => {
    answers(asking(calls('pay', { to: 'bob' })), { chunks: ['Paid.'] });
    await ask();
    await world.turnsEnded();
  };
  await pay();
  await decide('always');
  await world.turnsEnded();
  await pay();
  expect(server.calls).toHaveLength(2);
  const [grant] = (await ann.api.getToolGrants({})).items;
  const grant_id = grant?.grant_id ?? '';
  expect(await failure(bob.api.revokeToolGrant({ grant_id }))).toMatchObject({ code: 'not_found' });
  await ann.api.revokeToolGrant({ grant_id });
  expect(await failure(ann.api.revokeToolGrant({ grant_id }))).toMatchObject({ code: 'not_found' });
  expect((await ann.api.getToolGrants({})).items).toEqual([]);
  expect(await world.sql('SELECT tool FROM tool_grants')).toEqual([]);
  await pay();
  expect(await open()).toBe(1);
  expect(server.calls).toHaveLength(2);
});

test('CALL-20: a call that an earlier answer has allowed and that is not sent yet is denied when the answer is taken back', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  server.tools['slow'] = { run: async () => gate.then(() => 'slow is done') };
  const tools = [
    { name: 'slow', writes: false },
    { name: 'pay', writes: true },
  ];
  const { ann, answers, ask, decide, reply } = await scene(hands, { given: { tools } });
  answers(asking(calls('pay', { to: 'bob' })), { chunks: ['Paid.'] });
  await ask();
  await world.turnsEnded();
  await decide('always');
  await world.turnsEnded();
  // Four calls are sent at once: the fifth waits.
  const four = Array.from({ length: 4 }, () => calls('slow'));
  answers(asking(...four, calls('pay', { to: 'cleo' })), { chunks: ['So be it.'] });
  await ask();
  await server.executed('slow', 4);
  const [grant] = (await ann.api.getToolGrants({})).items;
  await ann.api.revokeToolGrant({ grant_id: grant?.grant_id ?? '' });
  release();
  await world.turnsEnded();
  const parts = toolParts(await reply());
  expect(parts.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done', 'denied']);
  expect((await reply()).content).toBe('So be it.');
  expect(server.calls.filter(({ tool }) => tool === 'pay')).toHaveLength(1);
  expect((await list(ann, { status: 'denied' })).map(({ tool }) => tool)).toEqual(['pay']);
});
