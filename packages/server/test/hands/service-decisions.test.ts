// Decisions that the service makes for turns, beside those that people and bots ask.
import { expect, test } from 'vitest';
import { asking, calls, scene, withHands } from './hands-stage.ts';

test('DECIDE-11: nobody takes back a decision that a turn waits for: the reply is stopped instead', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const bob = await world.person('bob');
  const { ann, chat, answers, ask, decisions, decide, reply } = await scene(hands, { others: [bob] });
  answers(asking(calls('pay', { to: 'bob' })), { chunks: ['Done.'] });
  await ask();
  await world.turnsEnded();
  const [asked] = await decisions();
  const decision_id = asked?.id ?? '';
  await ann.api.setMemberRole({ chat_id: chat.id, username: 'bob', role: 'admin' });
  for (const actor of [ann, bob])
    await expect(actor.api.withdrawDecision({ decision_id })).rejects.toMatchObject({ status: 403 });
  await decide('once');
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Done.' });
  expect(server.calls).toHaveLength(1);
});

test('DECIDE-12: no model receives the decisions of turns, in no context and no title', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, agent } = await scene(hands);
  const { id: chat_id } = await ann.api.startChat({ username: agent.username, new: true });
  const decide = async () => {
    const { items } = await ann.api.getDecisions({ chat_id, state: 'open' });
    for (const { id } of items) await ann.api.decide({ decision_id: id, option: 'once' });
    return items.length;
  };
  world.providers.script(agent.key, ({ body }) => {
    const text = JSON.stringify(body);
    if (text.includes('give conversations their titles')) return { chunks: ['A title'] };
    const last = JSON.stringify((body as { messages?: unknown[] }).messages?.at(-1));
    return last.includes('tool_result') ? { chunks: ['Paid.'] } : asking(calls('pay', { to: 'bob' }));
  });
  for (let turn = 0; turn < 3; turn += 1) {
    await ann.api.sendMessage({ chat_id, text: `please, ${turn}` });
    await world.turnsEnded();
    expect(await decide()).toBe(1);
    await world.turnsEnded();
  }
  expect((await ann.api.getChat({ chat_id })).title).toBe('A title');
  const asked = (await ann.api.getDecisions({ chat_id })).items;
  expect(asked).toHaveLength(3);
  expect(asked[0]?.content).toContain('May ');
  const requests = world.providers.requestsOf(agent.key).map(({ body }) => JSON.stringify(body));
  expect(requests.some((text) => text.includes('give conversations their titles'))).toBe(true);
  for (const text of requests) expect(text).not.toMatch(/May .{0,40} run|Allow once|Decided:/);
});
