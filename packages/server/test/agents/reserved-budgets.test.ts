// Budgets of tokens and replies that begin at the same moment: BUDGET-7.
import { type Actor, createWorld, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { keyedAgent } from '../helpers/agents.ts';
import { upload } from '../helpers/file-stage.ts';
import { rowsIn } from '../helpers/rows-in.ts';

/** Tokens of a reply: a little less than what a turn with a short conversation reserves (4,096 for its output). */
const TOKENS_EACH = 4_000;

/** Olga's agent in a group with four others; its replies wait for the gate. */
async function stage(world: World) {
  const olga = await world.person('olga');
  const others: Actor[] = [];
  for (const name of ['ann', 'bob', 'carl', 'dora']) others.push(await world.person(name));
  const agent = await keyedAgent(world, olga);
  const { username } = agent;
  const chat = await world.group(olga, ...others);
  await olga.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const usage = { input: 100, output: TOKENS_EACH - 100 };
  const hold = () => {
    const gate = Promise.withResolvers<void>();
    world.providers.script(agent.key, { chunks: ['ok'], usage, hold: gate.promise });
    return gate;
  };
  const gate = hold();
  const ask = (who: Actor, chat_id = chat.id) => who.api.sendMessage({ chat_id, text: `@${username} ?` });
  const used = async () =>
    (await olga.api.getUsage()).items.reduce((sum, item) => sum + item.input_tokens + item.output_tokens, 0);
  const set = (terms: object) => olga.api.setBotConfig({ username, ...terms });
  const requests = () => world.providers.requestsOf(agent.key).length;
  return { olga, others, agent, username, chat, gate, hold, ask, used, set, requests };
}

test.each(['group_monthly_tokens', 'monthly_token_cap'] as const)(
  'BUDGET-7: replies that all members ask for at the same moment exceed %s by at most one reply',
  async (budget) => {
    await using world = await createWorld();
    const { olga, others, agent, gate, ask, used, set, requests } = await stage(world);
    await set({ [budget]: 3 * TOKENS_EACH });
    await Promise.all([olga, ...others].flatMap((who) => [ask(who), ask(who)]));
    await world.providers.waitForRequest(agent.key, 3);
    await world.settle();
    expect(requests()).toBe(3);
    gate.resolve();
    await world.turnsEnded();
    expect(await used()).toBe(3 * TOKENS_EACH);
    expect(await rowsIn(world, "turns WHERE state = 'failed'")).toBe(7);
    expect(await rowsIn(world, "turns WHERE state = 'queued'")).toBe(0);
  },
);

test('BUDGET-7: what has waited begins when a reply ends that used less than it had reserved', async () => {
  await using world = await createWorld();
  const { olga, others, agent, ask, set, requests } = await stage(world);
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { chunks: ['ok'], usage: { input: 5, output: 5 }, hold: gate.promise });
  await set({ group_monthly_tokens: 3 * TOKENS_EACH });
  await Promise.all([olga, ...others].map((who) => ask(who)));
  await world.providers.waitForRequest(agent.key, 3);
  await world.settle();
  expect(requests()).toBe(3);
  gate.resolve();
  await world.turnsEnded();
  expect(requests()).toBe(5);
  expect(await rowsIn(world, "turns WHERE state = 'complete'")).toBe(5);
});

test('BUDGET-7: one group’s budget delays no reply elsewhere, nor one on the asker’s own key', async () => {
  await using world = await createWorld();
  const { olga, others, agent, username, chat, gate, ask, set, requests } = await stage(world);
  const [ann, bob] = others;
  if (!ann || !bob) throw new Error('nobody');
  await set({ group_monthly_tokens: TOKENS_EACH });
  await ask(ann);
  await ask(bob);
  await world.providers.waitForRequest(agent.key, 1);
  await world.settle();
  expect(requests()).toBe(1);
  const { id } = await olga.api.startChat({ username });
  await ask(olga, id);
  world.providers.script('key-of-bob', { chunks: ['mine'] });
  await bob.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-bob' } });
  await ask(olga, chat.id);
  await world.providers.waitForRequest(agent.key, 2);
  await world.settle();
  expect(requests()).toBe(2);
  // His first turn waits still, his second has his own key.
  await ask(bob);
  await world.providers.waitForRequest('key-of-bob');
  gate.resolve();
  await world.turnsEnded();
});

test('BUDGET-7, KEY-12: with default terms four replies of one asker run at once on the owner’s key', async () => {
  await using world = await createWorld();
  const { others, agent, gate, ask } = await stage(world);
  const [ann] = others;
  if (!ann) throw new Error('nobody');
  for (let n = 0; n < 5; n += 1) await ask(ann);
  await world.providers.waitForRequest(agent.key, 4);
  gate.resolve();
  await world.turnsEnded();
});

test('BUDGET-7, TURN-3: a crash releases what its turns had reserved', async () => {
  await using world = await createWorld();
  const { olga, others, gate, ask, used, set, agent, hold } = await stage(world);
  await set({ monthly_token_cap: 3 * TOKENS_EACH });
  await Promise.all([olga, ...others].map((who) => ask(who)));
  await world.providers.waitForRequest(agent.key, 3);
  const open = hold();
  await world.crash();
  gate.resolve();
  await world.providers.waitForRequest(agent.key, 6);
  await world.settle();
  expect(await rowsIn(world, "turns WHERE state = 'streaming'")).toBe(3);
  open.resolve();
  await world.turnsEnded();
  expect(await rowsIn(world, "turns WHERE state IN ('queued', 'streaming')")).toBe(0);
  expect(await used()).toBe(3 * TOKENS_EACH);
});

test('BUDGET-7: a stop releases what a turn had reserved; a retry does not wait, it is rate_limited', async () => {
  await using world = await createWorld();
  const { olga, others, chat, agent, gate, hold, ask, set, requests } = await stage(world);
  const [ann, bob] = others;
  if (!ann || !bob) throw new Error('nobody');
  gate.resolve();
  const question = await ask(ann);
  await world.turnsEnded();
  const { items } = await ann.api.getChatHistory({ chat_id: chat.id });
  const message_id = items.find(({ reply_to_id }) => reply_to_id === question.id)?.id ?? '';
  await set({ group_monthly_tokens: 2 * TOKENS_EACH });
  const open = hold();
  await ask(olga);
  await world.providers.waitForRequest(agent.key, 2);
  await ask(bob);
  await world.providers.waitForRequest(agent.key, 2);
  await world.settle();
  expect(requests()).toBe(2);
  await expect(ann.api.retryReply({ message_id })).rejects.toMatchObject({
    status: 429,
    parameters: { retry_after: 1 },
  });
  await olga.api.stopRun({ chat_id: chat.id });
  await world.settle();
  open.resolve();
  await world.turnsEnded();
  expect(await rowsIn(world, "turns WHERE state IN ('queued', 'streaming')")).toBe(0);
});

/** A transcript that Ann asked for waits for the gate, and a turn for the transcript, whose agent no turn runs of. */
async function transcriptStage(world: World) {
  const { olga, ann } = await world.people('olga', 'ann');
  const agent = await keyedAgent(world, olga, 'provider_b');
  const { username } = agent;
  const { id: chat_id } = await world.group(olga, ann);
  await olga.api.addGroupAgent({ chat_id, agent_username: username });
  await olga.api.setGroupAgentMode({ chat_id, agent_username: username, always_on: false });
  await olga.api.setBotConfig({ username, monthly_token_cap: TOKENS_EACH });
  const gate = Promise.withResolvers<void>();
  const answer = { chunks: ['ok'], usage: { input: 5, output: 5 } };
  world.providers.script(agent.key, { ...answer, hold: gate.promise });
  const sound = Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0'.padEnd(28, '\0') + 'OpusHead');
  const { id } = await upload(ann, sound, 'voice.ogg');
  const spoken = await ann.api.sendMessage({ chat_id, text: '', attachments: [{ id, duration_ms: 2_500 }] });
  const heard = ann.api.transcribeMessage({ message_id: spoken.id }).then(
    () => true,
    () => false,
  );
  await world.providers.waitForRequest(agent.key, 1);
  await olga.api.sendMessage({ chat_id, text: `@${username} ?` });
  await world.settle();
  expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
  expect(await rowsIn(world, "turns WHERE state = 'queued'")).toBe(1);
  return { agent, answer, gate, heard };
}

test('BUDGET-7: what has waited begins when a transcript ends, also if no turn runs', async () => {
  await using world = await createWorld();
  const { agent, gate, heard } = await transcriptStage(world);
  gate.resolve();
  expect(await heard).toBe(true);
  await world.turnsEnded();
  expect(world.providers.requestsOf(agent.key)).toHaveLength(2);
  expect(await rowsIn(world, "turns WHERE state = 'complete'")).toBe(1);
});

embeddedTest('that nobody else makes transcripts')(
  'BUDGET-7: what has waited begins after a crash during a transcript',
  async () => {
    await using world = await createWorld();
    const { agent, answer, gate, heard } = await transcriptStage(world);
    world.providers.script(agent.key, answer);
    await world.crash();
    gate.resolve();
    expect(await heard).toBe(false);
    await world.turnsEnded();
    expect(await rowsIn(world, "turns WHERE state = 'complete'")).toBe(1);
  },
);
